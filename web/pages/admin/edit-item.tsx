import type { User } from '#contracts/identity'
import { NoSection } from '../../features/admin-shell/no-section'
import { sectionsOf } from '../../features/admin-shell/sections'
import { ItemEditor } from '../../features/catalogue-admin/form/item-editor'
import { AdminFrame } from './admin-frame'

/** One menu item at its own address, to change it. */
export const EditItemPage = ({ user, id }: { user: User; id: number }) => {
  const held = sectionsOf(user).find((section) => section.key === 'menu')
  return (
    <AdminFrame user={user} title="Edit Menu Item" section={held?.key ?? null}>
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
