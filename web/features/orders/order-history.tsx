import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Order } from '#contracts/ordering'
import { EmptyState } from '../../ui/empty-state'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { ordersQuery, rulesQuery } from './api'
import { FamilyCredit } from './family-credit'
import { StudentOrders } from './order-group'
import { groupOrders } from './order-groups'
import { useAllowedNow } from './use-allowed-now'
import { useCancelling } from './use-cancelling'
import { kwacha } from '../../lib/format'
import { paths } from '../../lib/paths'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { mealDay } from './order-words'
import { Card } from '../../ui/card'
import { Skeleton } from '../../ui/skeleton'

const none: Order[] = []

type OrderHistoryProps = { as: 'parent' | 'teacher'; emptyAction?: ReactNode }

/** Every order of the account by student, with what may still be cancelled. */
export const OrderHistory = ({ as, emptyAction }: OrderHistoryProps) => {
  const orders = useQuery(ordersQuery(as))
  const rules = useQuery(rulesQuery)
  const allowedNow = useAllowedNow(orders.data ?? none, orders.dataUpdatedAt)
  const { asked, ask, keep, cancel, busy } = useCancelling(as)
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
            <StudentOrders key={group.studentId} group={group} onCancel={ask} />
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
      {asked ? (
        <CancelQuestion
          order={asked}
          asCredit={rules.data?.lateRemedy === 'credit' && !goesBackAsPaid(asked, orders.dataUpdatedAt)}
          busy={busy}
          onCancel={cancel}
          onKeep={keep}
        />
      ) : null}
    </div>
  )
}

/** Whether its money goes back as it was paid if it is cancelled now, as the server said at `readAt`. */
const goesBackAsPaid = ({ allowed }: Order, readAt: number) =>
  allowed.asPaidForMs !== undefined && Date.now() <= readAt + allowed.asPaidForMs

type CancelQuestionProps = {
  order: Order
  /** What was paid becomes family credit. */
  asCredit: boolean
  busy: boolean
  onCancel: () => void
  onKeep: () => void
}

/** Asks before an order is cancelled, and says what becomes of the meal and of the money. */
export const CancelQuestion = ({ order, asCredit, busy, onCancel, onKeep }: CancelQuestionProps) => (
  <ConfirmDialog
    open
    title="Cancel this order?"
    confirm="Cancel Order"
    cancel="Keep Order"
    danger
    busy={busy}
    onConfirm={onCancel}
    onClose={onKeep}
  >
    <strong className="block font-semibold text-ink">
      {order.menuItem.name} for {order.student.name}
    </strong>
    <span className="block">{mealDay(order)}</span>
    <span className="mt-2 block">{consequence(order, asCredit)}</span>
  </ConfirmDialog>
)

const consequence = ({ discountedPrice, paymentStatus }: Order, asCredit: boolean): string => {
  if (discountedPrice === 0) return 'The meal will not be prepared. There is nothing to pay back.'
  const price = kwacha(discountedPrice)
  if (paymentStatus === 'confirmed' && asCredit)
    return `The meal will not be prepared, and your ${price} becomes credit for your next orders.`
  return paymentStatus === 'confirmed'
    ? `The meal will not be prepared, and your ${price} becomes due for refund: in cash within 1 hour at the canteen, or by mobile money in 3-5 business days.`
    : `The meal will not be prepared. If you have already paid its ${price}, contact the tuckshop.`
}

const orders = [1, 2, 3]

/** The place of a student's orders while they are read. */
export const HistorySkeleton = () => (
  <output>
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
