import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Order } from '#contracts/ordering'
import { counted, gradeLabel, kwacha, longDate, monthName, kwachaSum } from '../../lib/format'
import { paths } from '../../lib/paths'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { breakpoints, useNarrowerThan } from '../../lib/use-device'
import { useCancelTexts, creditQuery } from '../../queries/ordering'
import { Card, CardHeading } from '../../ui/card'
import { Icon } from '../../ui/icon'
import { Notice } from '../../ui/notice'
import { EmptyState, QueryResult, Skeleton } from '../../ui/query-result'
import { ordersQuery, refundsQuery } from './api'
import { useCancelQuestion } from './cancelling'
import { useAllowedNow } from './family-actions'
import { ComingMeals, OrderCards, OrderTable } from './order-table'
import { refundWords } from './order-text'

const none: Order[] = []

type OrderHistoryProps = { as: 'parent' | 'teacher'; emptyAction?: ReactNode }

export const OrderHistory = ({ as, emptyAction }: OrderHistoryProps) => {
  const orders = useQuery(ordersQuery(as))
  const cancelTexts = useCancelTexts()
  const allowedNow = useAllowedNow(orders.data ?? none, orders.dataUpdatedAt)
  const cancelling = useCancelQuestion(as, orders.dataUpdatedAt)
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {cancelTexts ? <Notice>{cancelTexts.rule}</Notice> : <span />}
        <Link
          to={paths.statementOfAccount}
          className="inline-flex min-h-11 items-center text-sm font-semibold text-brand-700 underline"
        >
          Statement of account
        </Link>
      </div>
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
        {() => (
          <>
            <NextMeals orders={allowedNow} onCancel={cancelling.ask} />
            {groupOrders(allowedNow).map((group) => (
              <StudentOrders key={group.studentId} group={group} onCancel={cancelling.ask} />
            ))}
          </>
        )}
      </QueryResult>
      <NeverOrdered />
      <FamilyCredit />
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

type NextMealsProps = { orders: readonly Order[]; onCancel: (order: Order) => void }

/** On a phone one list of all children before their groups. */
const NextMeals = ({ orders, onCancel }: NextMealsProps) => {
  const isNarrow = useNarrowerThan(breakpoints.mobile)
  const today = schoolDate(schoolNow())
  const next = groupOrders(orders)
    .flatMap((group) => byMealDate(group.orders, today).next)
    .toSorted((one, other) => descending(other.mealDate, one.mealDate))
  if (!isNarrow || next.length === 0) return null
  return (
    <Card className="overflow-hidden">
      <CardHeading title="Next meals" />
      <div className="mt-3">
        <ComingMeals label="Next meals" orders={next} onCancel={onCancel} />
      </div>
    </Card>
  )
}

type StudentOrdersProps = {
  group: OrderGroup
  onCancel: (order: Order) => void
}

/** What comes next, then a fold for each past month. */
const StudentOrders = ({ group, onCancel }: StudentOrdersProps) => {
  const List = useNarrowerThan(breakpoints.mobile) ? OrderCards : OrderTable
  const { next, months } = byMealDate(group.orders, schoolDate(schoolNow()))
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
      {next.length > 0 ? (
        <div className="mt-3 border-t border-line">
          <List label={`Orders for ${group.name}`} orders={next} onCancel={onCancel} />
        </div>
      ) : (
        <p className="px-4 pt-1 pb-3 text-sm text-muted sm:px-6">Nothing is ordered for the days to come.</p>
      )}
      {months.map(({ month, orders }) => (
        <PastMonth key={month} name={monthName(month)} of={group.name} count={orders.length}>
          {(label) => <List label={label} orders={orders} onCancel={onCancel} />}
        </PastMonth>
      ))}
    </Card>
  )
}

type PastMonthProps = { name: string; of: string; count: number; children: (label: string) => ReactNode }

const PastMonth = ({ name, of, count, children }: PastMonthProps) => {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="border-t border-line">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className="flex min-h-11 w-full items-center justify-between gap-3 px-4 py-2 text-left hover:bg-sand-50 sm:px-6"
        >
          <span className="font-semibold">{name}</span>
          <span className="flex items-center gap-2 text-sm text-muted">
            {counted(count, 'order')}
            <Icon name={open ? 'chevron-up' : 'chevron-down'} size="sm" />
          </span>
        </button>
      </h3>
      {open ? (
        <div id={id} className="border-t border-line">
          {children(`Orders for ${of}, ${name}`)}
        </div>
      ) : null}
    </div>
  )
}

type ByMealDate = { next: Order[]; months: { month: string; orders: Order[] }[] }

/** The soonest meal first, with all that can still be changed; past meals by month, newest first. */
export const byMealDate = (orders: readonly Order[], today: string): ByMealDate => {
  const isNext = ({ mealDate, allowed }: Order) =>
    mealDate >= today || allowed.cancel || allowed.change || allowed.absent
  const months = grouped(
    orders.filter((order) => !isNext(order)),
    ({ mealDate }) => mealDate.slice(0, 7),
  )
  return {
    next: orders.filter(isNext).toSorted((one, other) => newestMealFirst(other, one)),
    months: [...months]
      .toSorted(([one], [other]) => descending(one, other))
      .map(([month, past]) => ({ month, orders: past.toSorted(newestMealFirst) })),
  }
}

const newestMealFirst = (one: Order, other: Order): number =>
  descending(one.mealDate, other.mealDate) || descending(one.orderDate, other.orderDate)

/** Newest order first, with the amount spent. */
export type OrderGroup = {
  studentId: number
  name: string
  grade: string
  orders: Order[]
  spent: number
}

/** Children in registration order, then the staff entry. */
export const groupOrders = (orders: readonly Order[]): OrderGroup[] => {
  const groups = grouped(orders, ({ studentId }) => studentId)
  return [...groups].map(([studentId, mine]) => groupOf(studentId, mine)).toSorted(byRegistration)
}

const grouped = <Key,>(orders: readonly Order[], keyOf: (order: Order) => Key): Map<Key, Order[]> => {
  const groups = new Map<Key, Order[]>()
  for (const order of orders) {
    const group = groups.get(keyOf(order))
    if (group) group.push(order)
    else groups.set(keyOf(order), [order])
  }
  return groups
}

const groupOf = (studentId: number, mine: readonly Order[]): OrderGroup => {
  const orders = mine.toSorted(newestFirst)
  return { studentId, ...orders[0]!.student, orders, spent: spentOn(orders) }
}

/** Price of pending and completed orders in kwacha, paid or awaited; not cancelled, refunded or failed ones. */
export const spentOn = (orders: readonly Order[]): number =>
  kwachaSum(
    orders
      .filter(({ status, paymentStatus }) => countedStatuses.has(status) && paymentStatus !== 'failed')
      .map(({ discountedPrice }) => discountedPrice),
  )

const countedStatuses: ReadonlySet<Order['status']> = new Set(['pending', 'completed'])

/** By placing time, then later meals first. */
const newestFirst = (one: Order, other: Order): number =>
  descending(one.orderDate, other.orderDate) ||
  descending(one.mealDate, other.mealDate) ||
  descending(one.id, other.id)

const descending = (one: string, other: string) => (one < other ? 1 : one > other ? -1 : 0)

const byRegistration = (one: OrderGroup, other: OrderGroup) =>
  Number(one.grade === 'teacher') - Number(other.grade === 'teacher') || one.studentId - other.studentId

/** Paid meals for which no order could be made. Hidden while there is none. */
const NeverOrdered = () => {
  const meals = useQuery(refundsQuery).data?.data.filter(({ orderId }) => orderId === null) ?? []
  if (meals.length === 0) return null
  return (
    <Card className="overflow-hidden">
      <CardHeading title="Paid, and not ordered" hint="These meals could not be made." />
      <ul aria-label="Paid, and not ordered" className="mt-3 border-t border-line text-sm">
        {meals.map((meal, place) => (
          <li key={place} className="border-b border-line px-4 py-2 last:border-0 sm:px-6">
            {[meal.student?.name, meal.mealDate && longDate(meal.mealDate)].filter(Boolean).join(', ')}
            <span className="block text-xs">{neverOrderedText(meal)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const neverOrderedText = (meal: Parameters<typeof refundWords>[0]): string =>
  refundWords(meal).join('; ') || (meal.asCredit ? `${kwacha(meal.amount)} became your credit` : '')

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
              {entry.amount < 0 ? `${kwacha(-entry.amount)} used` : `${kwacha(entry.amount)} added`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
