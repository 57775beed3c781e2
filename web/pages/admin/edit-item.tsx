import { useParams } from 'react-router-dom'
import { ItemEditor } from '../../features/catalogue-admin/form/item-editor'
import { SectionFrame } from './admin-frame'

/** One menu item at its own address, to change it. */
export const EditItemPage = () => {
  const id = Number(useParams().id)
  return (
    <SectionFrame title="Edit Menu Item" section="menu" name="Menu Management">
      <ItemEditor key={id} id={id} />
    </SectionFrame>
  )
}
