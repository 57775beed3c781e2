import { Suspense, useState } from 'react'
import { lazyPart, usePreload } from '../../lib/lazy'
import { CollapsibleCard } from '../../ui/collapsible-card'
import { SkeletonLines } from '../../ui/skeleton'
import { CurrentItems } from './list/current-items'
import { UploadCard } from './upload/upload-card'

const ItemForm = lazyPart(() => import('./form/item-form').then((m) => m.ItemForm))

/** Menu Management: `mayListOrders` where this administrator may open Cycle History. Add one item, upload many, and see to those that are there. */
export const MenuManagement = ({ mayListOrders }: { mayListOrders: boolean }) => {
  const [adding, setAdding] = useState(false)
  const close = () => setAdding(false)
  usePreload(ItemForm)
  return (
    <div className="flex flex-col gap-5">
      <CollapsibleCard
        title="Add New Menu Item"
        icon="plus"
        open={adding}
        onToggle={() => setAdding(!adding)}
      >
        <Suspense fallback={<SkeletonLines lines={8} />}>
          <ItemForm item={null} level={3} lock="open" onLocked={close} onSaved={close} onCancel={close} />
        </Suspense>
      </CollapsibleCard>
      <UploadCard />
      <CurrentItems onAdd={() => setAdding(true)} mayListOrders={mayListOrders} />
    </div>
  )
}
