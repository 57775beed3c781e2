import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Order } from '#contracts/ordering'
import { EmptyState, QueryResult, Skeleton } from '../../ui/query-result'
import { Notice } from '../../ui/notice'
import { useCancelUntilCutoff, creditQuery } from '../../queries/ordering'
import { ordersQuery } from './api'
import { useCancelQuestion } from './cancelling'
import { useAllowedNow } from './family-actions'
import { paths } from '../../lib/paths'
import { Card, CardHeading } from '../../ui/card'
import { counted, gradeLabel, kwacha, longDate } from '../../lib/format'
import { breakpoints, useNarrowerThan } from '../../lib/use-device'
import { Button } from '../../ui/button'
import { OrderCards, OrderTable } from './order-table'
import { schoolDate } from '../../lib/school-moment'

const none: Order[] = []

type OrderHistoryProps = { as: 'parent' | 'teacher'; emptyAction?: ReactNode }

export const OrderHistory = ({ as, emptyAction }: OrderHistoryProps) => {
  const orders = useQuery(ordersQuery(as))
  const untilCutoff = useCancelUntilCutoff()
  const allowedNow = useAllowedNow(orders.data ?? none, orders.dataUpdatedAt)
  const cancelling = useCancelQuestion(as, orders.dataUpdatedAt)
  return (
    <div className="flex flex-col gap-5">
      <Notice>
        {untilCutoff
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
  // At least screen height, so that later content moves unseen.
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

type StudentOrdersProps = {
  group: OrderGroup
  onCancel: (order: Order) => void
}

/** Recent and cancellable orders; older ones on request. */
export const StudentOrders = ({ group, onCancel }: StudentOrdersProps) => {
  const List = useNarrowerThan(breakpoints.mobile) ? OrderCards : OrderTable
  const { shown, showMore, frame } = useUnfolding(group.orders)
  const older = group.orders.length - shown
  return (
    <Card className="overflow-hidden">
      <CardHeading
        title={group.name}
        hint={`${gradeLabel(group.grade)} · ${counted(group.orders.length, 'order')}`}
        actions={
          <p className="text-right text-sm text-muted">
            Total Spent
            <span className="money block text-base font-semibold text-ink"> {kwacha(group.spent)}</span>
          </p>
        }
      />
      <div ref={frame} className="mt-3 border-t border-line">
        <List label={`Orders for ${group.name}`} orders={group.orders.slice(0, shown)} onCancel={onCancel} />
      </div>
      {older > 0 ? (
        <div className="border-t border-line p-2">
          <Button variant="ghost" icon="chevron-down" className="w-full" onClick={showMore}>
            {`Show ${counted(Math.min(step, older), 'older order')}`}
          </Button>
        </div>
      ) : null}
    </Card>
  )
}

const first = 10
const step = 30

/** Focuses the first of the unfolded orders. */
const useUnfolding = (orders: readonly Order[]) => {
  const [shown, setShown] = useState(() =>
    Math.max(first, 1 + orders.findLastIndex(({ allowed }) => allowed.cancel)),
  )
  const frame = useRef<HTMLDivElement>(null)
  const before = useRef(shown)
  useEffect(() => {
    if (before.current !== shown)
      frame.current?.querySelectorAll<HTMLElement>('[data-order]')[before.current]?.focus()
    before.current = shown
  }, [shown])
  return {
    shown: Math.min(shown, orders.length),
    showMore: () => setShown(shown + step),
    frame,
  }
}

/** Newest first, with the amount spent. */
export type OrderGroup = {
  studentId: number
  name: string
  grade: string
  orders: Order[]
  spent: number
}

/** Children in registration order, then the staff entry. */
export const groupOrders = (orders: readonly Order[]): OrderGroup[] => {
  const groups = new Map<number, Order[]>()
  for (const order of orders) {
    const group = groups.get(order.studentId)
    if (group) group.push(order)
    else groups.set(order.studentId, [order])
  }
  return [...groups].map(([studentId, mine]) => groupOf(studentId, mine)).toSorted(byRegistration)
}

const groupOf = (studentId: number, mine: readonly Order[]): OrderGroup => {
  const orders = mine.toSorted(newestFirst)
  return { studentId, ...orders[0]!.student, orders, spent: spentOn(orders) }
}

/** Price of pending and completed orders in kwacha, paid or awaited; not cancelled, refunded or failed ones. */
export const spentOn = (orders: readonly Order[]): number => {
  const ngwee = orders
    .filter(({ status, paymentStatus }) => countedStatuses.has(status) && paymentStatus !== 'failed')
    .reduce((sum, { discountedPrice }) => sum + Math.round(discountedPrice * 100), 0)
  return ngwee / 100
}

const countedStatuses: ReadonlySet<Order['status']> = new Set(['pending', 'completed'])

/** By placing time, then later meals first. */
const newestFirst = (one: Order, other: Order): number =>
  descending(one.orderDate, other.orderDate) ||
  descending(one.mealDate, other.mealDate) ||
  descending(one.id, other.id)

const descending = (one: string, other: string) => (one < other ? 1 : one > other ? -1 : 0)

const byRegistration = (one: OrderGroup, other: OrderGroup) =>
  Number(one.grade === 'teacher') - Number(other.grade === 'teacher') || one.studentId - other.studentId

/** Hidden while there is none. */
export const FamilyCredit = () => {
  const { data: credit } = useQuery(creditQuery)
  if (!credit || (credit.balance === 0 && credit.held === 0)) return null
  return (
    <Card className="overflow-hidden">
      <CardHeading
        title="Your credit"
        hint="It pays for your next orders."
        actions={<p className="money text-base font-semibold">{kwacha(credit.balance)}</p>}
      />
      {credit.held > 0 ? (
        <p className="px-4 pt-2 text-sm sm:px-6">{`${kwacha(credit.held)} is held by a payment under way`}</p>
      ) : null}
      <ul aria-label="Changes of your credit" className="mt-3 border-t border-line text-sm">
        {credit.entries.map((entry, place) => (
          <li
            key={place}
            className="flex justify-between gap-3 border-b border-line px-4 py-2 last:border-0 sm:px-6"
          >
            <span className="min-w-0 wrap-anywhere">
              {entry.text}
              <time dateTime={entry.at} className="block text-xs text-muted">
                {longDate(schoolDate(entry.at))}
              </time>
            </span>
            <span className="money whitespace-nowrap">
              {entry.amount < 0 ? `−${kwacha(-entry.amount)}` : `+${kwacha(entry.amount)}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
