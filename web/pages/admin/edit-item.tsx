import { useParams } from 'react-router-dom'
import { NoSection } from '../../features/admin-shell/no-section'
import { sectionsOf } from '../../features/admin-shell/sections'
import { ItemEditor } from '../../features/catalogue-admin/form/item-editor'
import { useUser } from '../../features/session/current-user'
import { AdminFrame } from './admin-frame'

/** One menu item at its own address, to change it. */
export const EditItemPage = () => {
  const id = Number(useParams().id)
  const held = sectionsOf(useUser()).find((section) => section.key === 'menu')
  return (
    <AdminFrame title="Edit Menu Item" section={held?.key ?? null}>
      {held ? (
        <ItemEditor key={id} id={id} />
      ) : (
        <NoSection title="Menu Management is not open to you">
          Your account does not have this section. Another administrator can give it to you.
        </NoSection>
      )}
    </AdminFrame>
  )
}
