import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Order } from '#contracts/ordering'
import { EmptyState } from '../../ui/empty-state'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { ordersQuery, rulesQuery } from './api'
import { useCancelQuestion } from './cancel-question'
import { FamilyCredit } from './family-credit'
import { StudentOrders } from './order-group'
import { groupOrders } from './order-groups'
import { useAllowedNow } from './use-allowed-now'
import { paths } from '../../lib/paths'
import { Card } from '../../ui/card'
import { Skeleton } from '../../ui/skeleton'

const none: Order[] = []

type OrderHistoryProps = { as: 'parent' | 'teacher'; emptyAction?: ReactNode }

/** Every order of the account by student, with what may still be cancelled. */
export const OrderHistory = ({ as, emptyAction }: OrderHistoryProps) => {
  const orders = useQuery(ordersQuery(as))
  const rules = useQuery(rulesQuery)
  const allowedNow = useAllowedNow(orders.data ?? none, orders.dataUpdatedAt)
  const cancelling = useCancelQuestion(as, orders.dataUpdatedAt)
  return (
    <div className="flex flex-col gap-5">
      <Notice>
        {rules.data?.cancelUntil === 'cutoff'
          ? 'Orders can be cancelled until the cutoff of their day'
          : 'Orders can only be cancelled within 1 hour of placing the order'}
      </Notice>
      <QueryResult
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
        {() =>
          groupOrders(allowedNow).map((group) => (
            <StudentOrders key={group.studentId} group={group} onCancel={cancelling.ask} />
          ))
        }
      </QueryResult>
      <FamilyCredit />
      <Link
        to={paths.statementOfAccount}
        className="inline-flex min-h-11 items-center self-start text-sm font-semibold text-brand-700 underline"
      >
        Statement of account
      </Link>
      {cancelling.question}
    </div>
  )
}

const orders = [1, 2, 3]

/** The place of a student's orders while they are read. */
export const HistorySkeleton = () => (
  // As high as the screen at least, so that what comes after it moves where nobody sees it.
  <output className="min-h-dvh">
    <span className="sr-only">Loading</span>
    <Card>
      <div className="flex items-center justify-between px-4 py-4 sm:px-6">
        <div className="flex flex-col gap-2">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-4 w-28" />
        </div>
        <Skeleton className="h-10 w-20" />
      </div>
      {orders.map((order) => (
        <div key={order} className="flex flex-col gap-2 border-t border-line px-4 py-3 sm:px-6">
          <div className="flex justify-between">
            <Skeleton className="h-5 w-44" />
            <Skeleton className="h-5 w-16" />
          </div>
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-6 w-48" />
        </div>
      ))}
    </Card>
  </output>
)
