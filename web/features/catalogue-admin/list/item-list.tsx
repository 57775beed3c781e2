import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { archive, switchAvailability } from '../api'
import { type Asking, ItemConfirm, type ItemListing } from './item-actions'
import { ItemGrid } from './item-grid'
import { ItemPreview } from './item-preview'
import { ItemTable } from './item-table'
import type { ItemView } from './item-filters'

type ItemListProps = Pick<
  ItemListing,
  'items' | 'hasOrders' | 'chosen' | 'onToggle' | 'sorting' | 'onSort'
> & { view: ItemView }

/** The shown items in either view, with the dialogs that their actions open. */
export const ItemList = ({ view, ...list }: ItemListProps) => {
  const [seen, setSeen] = useState<MenuItem | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const availability = useMutation(switchAvailability)
  const archiving = useMutation(archive)
  const listing: ItemListing = {
    ...list,
    onPreview: setSeen,
    onRemove: setAsking,
    onAvailable: (item, isAvailable) =>
      void notifyOutcome(availability.mutateAsync({ id: item.id, isAvailable }), {
        done: 'Menu item availability updated',
        failed: 'Failed to update menu item',
      }),
    onUnarchive: (item) =>
      void notifyOutcome(archiving.mutateAsync({ params: { id: item.id }, body: { isArchived: false } }), {
        done: 'Menu item unarchived successfully',
        failed: 'Failed to unarchive menu item',
      }),
  }
  return (
    <>
      {view === 'grid' ? <ItemGrid {...listing} /> : <ItemTable {...listing} />}
      <ItemPreview item={seen} onClose={() => setSeen(null)} />
      <ItemConfirm asking={asking} onClose={() => setAsking(null)} />
    </>
  )
}
