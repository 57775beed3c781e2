import { useState } from 'react'
import { CollapsibleCard } from '../../ui/collapsible-card'
import { CurrentItems } from './list/current-items'
import { ItemForm } from './form/item-form'
import { UploadCard } from './upload/upload-card'

/** Menu Management: `mayListOrders` where this administrator may open Cycle History. Add one item, upload many, and see to those that are there. */
export const MenuManagement = ({ mayListOrders }: { mayListOrders: boolean }) => {
  const [adding, setAdding] = useState(false)
  const close = () => setAdding(false)
  return (
    <div className="flex flex-col gap-5">
      <CollapsibleCard
        title="Add New Menu Item"
        icon="plus"
        open={adding}
        onToggle={() => setAdding(!adding)}
      >
        <ItemForm item={null} level={3} lock="open" onLocked={close} onSaved={close} onCancel={close} />
      </CollapsibleCard>
      <UploadCard />
      <CurrentItems onAdd={() => setAdding(true)} mayListOrders={mayListOrders} />
    </div>
  )
}
