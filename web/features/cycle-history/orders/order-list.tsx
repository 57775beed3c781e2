import type { cycleOrders, CycleOrderSort } from '#contracts/cycle-orders'
import type { ReplyOf } from '#contracts/endpoint'
import type { ListAddress } from '../../../lib/list-address'
import { EmptyState } from '../../../ui/empty-state'
import { BeyondLastPage } from '../../../ui/paged-list'
import { Pager } from '../../../ui/pager'
import { type QueryState, QueryResult } from '../../../ui/query-result'
import { ChoosableOrders } from './choosable-orders'
import type { HistoryFilters } from '../filter-panel'
import type { OnHistory } from '../order-words'
import { type Skipped, useStatusChange } from '../status/use-status-change'
import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'

/** A page of orders as it was last read; while another is awaited that of before. */
type OrdersAnswer = QueryState<ReplyOf<typeof cycleOrders>> & { isPlaceholderData: boolean }

type OrderListProps = {
  orders: OrdersAnswer
  filters: HistoryFilters
  list: ListAddress<CycleOrderSort>
  onHistory: OnHistory
}

/** The orders that match, a page at a time. What is selected lasts from page to page and ends with the filters or the order. */
export const OrderList = ({ orders, filters, list, onHistory }: OrderListProps) => {
  const { change, changing, skipped, keepSkipped, forgetSkipped } = useStatusChange()
  return (
    <>
      {skipped.length > 0 ? <SkippedOrders skipped={skipped} onRead={forgetSkipped} /> : null}
      <QueryResult<ReplyOf<typeof cycleOrders>>
        query={orders}
        failure="Failed to fetch cycle orders"
        isEmpty={({ metadata }) => metadata.total === 0}
        empty={<NoOrders filtered={Object.keys(filters).length > 0} />}
      >
        {({ data, metadata }) => (
          <ChoosableOrders
            orders={data}
            listed={JSON.stringify([filters, list.sorted.sorting])}
            sorted={list.sorted}
            leaving={orders.isPlaceholderData}
            changing={changing}
            onChange={change}
            onActed={keepSkipped}
            filters={filters}
            total={metadata.total}
            onHistory={onHistory}
          >
            {data.length === 0 ? (
              <BeyondLastPage lastPage={metadata.totalPages} onPage={list.onPage} />
            ) : (
              <Pager
                page={list.page}
                totalPages={metadata.totalPages}
                busy={orders.isPlaceholderData}
                onPage={list.onPage}
              />
            )}
          </ChoosableOrders>
        )}
      </QueryResult>
    </>
  )
}

const NoOrders = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No orders found" icon="history">
    {filtered
      ? 'No order matches these filters. Clear one of them to see more.'
      : 'Orders are listed here as soon as a family has placed one.'}
  </EmptyState>
)

/** The orders that stayed as they were, until somebody has read it. */
const SkippedOrders = ({ skipped, onRead }: { skipped: readonly Skipped[]; onRead: () => void }) => (
  <Notice
    tone="warning"
    title={`${counted(skipped.length, 'order was', 'orders were')} skipped and stayed as before`}
  >
    <ul className="list-disc pl-4">
      {skipped.map(({ id, title, reason }) => (
        <li key={id}>{`${title}: ${reason}`}</li>
      ))}
    </ul>
    <Button variant="secondary" size="sm" onClick={onRead}>
      Got it
    </Button>
  </Notice>
)
