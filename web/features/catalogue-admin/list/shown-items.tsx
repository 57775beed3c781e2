import { keepPreviousData, useQuery, useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { ItemSort } from '#contracts/menu-items'
import { messageOf } from '../../../lib/call'
import { counted } from '../../../lib/format'
import { lazyPart, usePreload } from '../../../lib/lazy'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import type { QueryState } from '../../../ui/query-result'
import type { SortProps } from '../../../ui/sort-head'
import { haveOrdersQuery, archive, switchAvailability } from '../api'
import { BulkBar } from './bulk-bar'
import type { ItemView } from './filter-bar'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { type Asking, ItemConfirm, type ItemListing } from './item-actions'
import { ItemGrid } from './item-grid'
import { ItemTable } from './item-table'

const ItemPreview = lazyPart(() => import('./item-preview').then((m) => m.ItemPreview))
const SoldOutDialog = lazyPart(() => import('./sold-out-dialog').then((m) => m.SoldOutDialog))

type ShownItemsProps = {
  items: MenuItem[]
  /** How many there are on all pages. */
  total: number
  /** The page, the filters and the order of the list, written out; another list forgets the selection. */
  listed: string
  archived: boolean
  view: ItemView
  sorted: SortProps<ItemSort>
  mayListOrders: boolean
}

/** One page of the items, and what can be done to the chosen ones. */
export const ShownItems = ({
  items,
  total,
  listed,
  archived,
  view,
  sorted,
  mayListOrders,
}: ShownItemsProps) => {
  const ids = items.map((item) => item.id)
  const orders = useQuery({ ...haveOrdersQuery(ids), placeholderData: keepPreviousData })
  const [chosen, choose] = useChosen(ids, listed)
  return (
    <>
      {orders.isError ? <OrdersUnchecked query={orders} /> : null}
      <BulkBar shown={ids} total={total} chosen={chosen} archived={archived} onChoose={choose} />
      <ItemList
        view={view}
        mayListOrders={mayListOrders}
        items={items}
        hasOrders={orders.data}
        chosen={chosen}
        onToggle={(id) => choose([...toggled(new Set(chosen), id)])}
        {...sorted}
      />
      <p aria-live="polite" className="text-sm text-muted">
        {counted(total, 'item')}
      </p>
    </>
  )
}

/** The chosen ids among those shown. What was chosen in another page, order or search is forgotten. */
const useChosen = (shown: number[], asked: string) => {
  const [ticked, setTicked] = useState<{ asked: string; ids: readonly number[] }>({ asked, ids: [] })
  const chosen = ticked.asked === asked ? stillShown(new Set(ticked.ids), shown) : []
  return [chosen, (ids: readonly number[]) => setTicked({ asked, ids })] as const
}

/** Said above the list while it is not known which items have orders: nothing is offered for deleting then. */
const OrdersUnchecked = ({ query }: { query: QueryState<unknown> }) => (
  <Notice tone="danger" title="Failed to check orders">
    <p>Deleting and archiving wait until it is known which items have orders. {messageOf(query.error, '')}</p>
    <Button
      variant="secondary"
      size="sm"
      icon="refresh"
      busy={query.isFetching}
      onClick={() => void query.refetch()}
    >
      Try again
    </Button>
  </Notice>
)

/** The chosen ids with one switched on or off. */
export const toggled = <Id,>(chosen: ReadonlySet<Id>, id: Id): ReadonlySet<Id> => {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Only those chosen ids that are still shown: what is filtered away is never acted on unseen. */
export const stillShown = <Id,>(chosen: ReadonlySet<Id>, shown: Id[]): Id[] =>
  shown.filter((id) => chosen.has(id))

type ItemListProps = Pick<
  ItemListing,
  'items' | 'hasOrders' | 'chosen' | 'onToggle' | 'sorting' | 'onSort'
> & { view: ItemView; mayListOrders: boolean }

/** The shown items in either view, with the dialogs that their actions open. */
const ItemList = ({ view, mayListOrders, ...list }: ItemListProps) => {
  const [seen, setSeen] = useState<MenuItem | null>(null)
  const [selling, setSelling] = useState<MenuItem | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  usePreload(ItemPreview, SoldOutDialog)
  const availability = useMutation(switchAvailability)
  const archiving = useMutation(archive)
  const listing: ItemListing = {
    ...list,
    onPreview: setSeen,
    onSoldOut: setSelling,
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
      <Suspense>
        {seen ? <ItemPreview item={seen} onClose={() => setSeen(null)} /> : null}
        {selling ? (
          <SoldOutDialog
            key={selling.id}
            item={selling}
            mayListOrders={mayListOrders}
            onClose={() => setSelling(null)}
          />
        ) : null}
      </Suspense>
      <ItemConfirm asking={asking} onClose={() => setAsking(null)} />
    </>
  )
}
