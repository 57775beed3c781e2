import { mutationOptions } from '@tanstack/react-query'
import type { BodyOf, QueryOf } from '#contracts/endpoint'
import { type PendingGroup, pendingPayments, undoVerified, verifyPending } from '#contracts/transfers'
import { call } from '../../lib/call'
import { listQuery, refreshes } from '../../lib/endpoint-query'
import { counted, dayName, gradeLabel, kwacha, payByLabel, kwachaSum } from '../../lib/format'
import { dateAndTime, schoolDay } from '../../lib/school-moment'
import { Badge } from '../../ui/badge'
import { Checkbox } from '../../ui/checkbox'
import { type Choosing, SelectBox, type Selection } from '../../ui/selection'

export type PendingOrder = PendingGroup['orders'][number]

type PendingGroupCardProps = {
  group: PendingGroup
  selection: Choosing<PendingOrder>
}

/** One parent's unverified orders. */
export const PendingGroupCard = ({ group, selection }: PendingGroupCardProps) => (
  <li className="rounded-md border border-line">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-t-md bg-sand-50 px-3 py-1.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <SelectBox
          label={group.parentUsername}
          name={`Select all of ${group.parentUsername}`}
          rows={group.orders}
          selection={selection}
        />
        <Person name={group.parentName} phone={group.parentPhone} />
      </div>
      <p className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="text-muted">{counted(group.orders.length, 'order')}</span>
        {group.lapsesAt === null ? null : (
          <span className="font-semibold text-danger-700">{`Cancelled unless paid until ${dateAndTime(group.lapsesAt)}`}</span>
        )}
        <Badge tone="warning" icon="clock">
          Payment Pending
        </Badge>
        <strong className="money text-base">{kwacha(group.totalAmount)}</strong>
      </p>
    </div>
    <ul className="divide-y divide-line">
      {group.orders.map((order) => (
        <OrderBox
          key={order.id}
          order={order}
          chosen={selection.chosen.has(order.id)}
          onSwitch={() => selection.toggle([order])}
        />
      ))}
    </ul>
  </li>
)

type PersonProps = { name: string; phone: string | null }

/** The person the office calls. */
const Person = ({ name, phone }: PersonProps) => (
  <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
    {name ? <span>{name}</span> : null}
    {phone ? <PhoneLink phone={phone} /> : null}
  </p>
)

export const PhoneLink = ({ phone }: { phone: string }) => (
  <a
    href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}
    className="money shrink-0 font-semibold text-brand-700 underline"
  >
    {phone}
  </a>
)

type OrderBoxProps = { order: PendingOrder; chosen: boolean; onSwitch: () => void }

export const OrderBox = ({ order, chosen, onSwitch }: OrderBoxProps) => (
  <li className={chosen ? 'bg-brand-50' : undefined}>
    <Checkbox
      checked={chosen}
      onChange={onSwitch}
      className="flex! w-full px-3 py-2 text-sm [&>span]:min-w-0 [&>span]:flex-1"
      label={
        <span className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
          <span className="min-w-0">
            <span className="font-semibold">{order.menuItem.name}</span>{' '}
            <span className="block">{`${order.student.name}, ${gradeLabel(order.student.grade)}`}</span>{' '}
            <span className="block text-xs text-muted">
              {`Week ${order.weekNumber}, ${dayName(order.dayOfWeek)} · ordered ${schoolDay(order.orderDate)}`}
            </span>
          </span>{' '}
          <span className="ml-auto flex items-baseline gap-3">
            <span className="text-xs text-muted">
              {payByLabel(order.payBy)} · Ref{' '}
              <span className="money font-semibold text-ink">{order.reference}</span>
            </span>{' '}
            <span className="money font-semibold">{kwacha(order.amount)}</span>
          </span>
        </span>
      }
    />
  </li>
)

/** Drops what was verified or cancelled meanwhile. */
export const selectedIn = (groups: PendingGroup[], { chosen }: Selection<PendingOrder>): PendingOrder[] =>
  groups.flatMap((group) => group.orders.filter(({ id }) => chosen.has(id)))

export const total = (orders: readonly { amount: number }[]): number =>
  kwachaSum(orders.map(({ amount }) => amount))

export const pendingQuery = (query: QueryOf<typeof pendingPayments>) =>
  listQuery('payments', pendingPayments, { query })

const perCall = 1000

/** In batches; answers the total and the last server message. */
const inCalls = async (
  orderIds: readonly string[],
  send: (orderIds: string[]) => Promise<{ message: string; updated: number }>,
) => {
  let all = { message: '', updated: 0 }
  for (let from = 0; from < orderIds.length; from += perCall) {
    const { message, updated } = await send(orderIds.slice(from, from + perCall))
    all = { message, updated: all.updated + updated }
  }
  return all
}

export const verifyOrders = mutationOptions({
  mutationFn: (body: BodyOf<typeof verifyPending>) =>
    inCalls(body.orderIds, (orderIds) => call(verifyPending, { body: { ...body, orderIds } })),
  onSettled: refreshes('payments', 'ordering'),
})

export const undoOrders = mutationOptions({
  mutationFn: (orderIds: readonly string[]) =>
    inCalls(orderIds, (part) => call(undoVerified, { body: { orderIds: part } })),
  onSettled: refreshes('payments', 'ordering'),
})
