import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state'
import { Notice } from '../../ui/notice'
import { QueryFaces } from '../../ui/query-faces'
import { ordersQuery } from './api'
import { CancelQuestion } from './cancel-question'
import { HistorySkeleton } from './history-skeleton'
import { StudentOrders } from './order-group'
import { groupOrders } from './order-groups'
import { useCancellable } from './use-cancellable'
import { useCancelling } from './use-cancelling'

type OrderHistoryProps = { as: 'parent' | 'teacher'; emptyAction?: ReactNode }

/** Every order of the account by student, with what may still be cancelled. */
export const OrderHistory = ({ as, emptyAction }: OrderHistoryProps) => {
  const orders = useQuery(ordersQuery(as))
  const cancellable = useCancellable(orders.data ?? [], orders.dataUpdatedAt)
  const { asked, ask, keep, cancel, busy } = useCancelling(as)
  return (
    <div className="flex flex-col gap-5">
      <Notice>Orders can only be cancelled within 1 hour of placing the order</Notice>
      <QueryFaces
        query={orders}
        failure="Failed to fetch orders"
        waiting={<HistorySkeleton />}
        isEmpty={(list) => list.length === 0}
        empty={
          <EmptyState icon="history" title="No orders yet" action={emptyAction}>
            Choose meals in the Menu Calendar and place the order in the Cart; it then appears here.
          </EmptyState>
        }
      >
        {(list) =>
          groupOrders(list).map((group) => (
            <StudentOrders key={group.studentId} group={group} cancellable={cancellable} onCancel={ask} />
          ))
        }
      </QueryFaces>
      {asked ? <CancelQuestion order={asked} busy={busy} onCancel={cancel} onKeep={keep} /> : null}
    </div>
  )
}
