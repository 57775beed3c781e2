import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import type { listMenuItems } from '#contracts/menu-items'
import { counted } from '../../../lib/format'
import { Paged } from '../../../ui/paged'
import { haveOrdersQuery } from '../api'
import { messageOf } from '../../../lib/call'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import type { QueryFace } from '../../../ui/query-faces'
import { BulkBar } from './bulk-bar'
import { ItemList } from './item-list'
import { type ItemsAsked, type ItemSorting, queryOf } from './item-filters'
import { stillShown, toggled } from './selection'

type ShownItemsProps = {
  found: ReplyOf<typeof listMenuItems>
  asked: ItemsAsked
  /** While another page or another order is fetched. */
  busy: boolean
  onSort: (sorting: ItemSorting) => void
  onPage: (page: number) => void
}

/** One page of the items, what can be done to the chosen ones, and the way to the other pages. */
export const ShownItems = ({ found: { data: items, metadata }, asked, ...list }: ShownItemsProps) => {
  const ids = items.map((item) => item.id)
  const orders = useQuery({ ...haveOrdersQuery(ids), placeholderData: keepPreviousData })
  const [chosen, choose] = useChosen(ids, JSON.stringify(queryOf(asked)))
  return (
    <Paged page={asked.page} totalPages={metadata.totalPages} busy={list.busy} onPage={list.onPage}>
      {items.length === 0 ? null : (
        <>
          {orders.isError ? <OrdersUnchecked query={orders} /> : null}
          <BulkBar
            shown={ids}
            total={metadata.total}
            chosen={chosen}
            archived={asked.filters.archived}
            onChoose={choose}
          />
          <ItemList
            view={asked.filters.view}
            items={items}
            hasOrders={orders.data}
            chosen={chosen}
            onToggle={(id) => choose([...toggled(new Set(chosen), id)])}
            sorting={asked.sorting}
            onSort={list.onSort}
          />
          <p aria-live="polite" className="text-sm text-muted">
            {counted(metadata.total, 'item')}
          </p>
        </>
      )}
    </Paged>
  )
}

/** The chosen ids among those shown. What was chosen in another page, order or search is forgotten. */
const useChosen = (shown: number[], asked: string) => {
  const [ticked, setTicked] = useState<{ asked: string; ids: readonly number[] }>({ asked, ids: [] })
  const chosen = ticked.asked === asked ? stillShown(new Set(ticked.ids), shown) : []
  return [chosen, (ids: readonly number[]) => setTicked({ asked, ids })] as const
}

/** Said above the list while it is not known which items have orders: nothing is offered for deleting then. */
const OrdersUnchecked = ({ query }: { query: QueryFace<unknown> }) => (
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
