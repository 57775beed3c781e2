import type { PendingGroup } from '#contracts/pending-payments'
import { counted, dayName, gradeLabel, kwacha } from '../../lib/format'
import { payByLabel } from '../../lib/pay-by'
import { dateAndTime, schoolDay } from '../../lib/school-moment'
import { Badge } from '../../ui/badge'
import { Checkbox } from '../../ui/checkbox'
import { selectedIn, type Selection } from './selection'
import { SelectBox } from './select-box'

type PendingGroupCardProps = {
  group: PendingGroup
  selection: Selection
  onSwitch: (ids: string[]) => void
}

/** What one parent has ordered and not been seen to pay. */
export const PendingGroupCard = ({ group, selection, onSwitch }: PendingGroupCardProps) => {
  const ids = group.orders.map(({ id }) => id)
  return (
    <li className="rounded-md border border-line">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-t-md bg-sand-50 px-3 py-1.5">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <SelectBox
            label={group.parentUsername}
            name={`Select all of ${group.parentUsername}`}
            ids={ids}
            chosen={selectedIn([group], selection).length}
            onSwitch={() => onSwitch(ids)}
          />
          <Person name={group.parentName} phone={group.parentPhone} />
        </div>
        <p className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="text-muted">{counted(ids.length, 'order')}</span>
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
          <PendingOrder
            key={order.id}
            order={order}
            chosen={selection.has(order.id)}
            onSwitch={() => onSwitch([order.id])}
          />
        ))}
      </ul>
    </li>
  )
}

type PersonProps = { name: string; phone: string | null }

/** Whom the office calls about it. */
const Person = ({ name, phone }: PersonProps) => (
  <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
    {name ? <span>{name}</span> : null}
    {phone ? (
      <a
        href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}
        className="money font-semibold text-brand-700 underline"
      >
        {phone}
      </a>
    ) : null}
  </p>
)

type PendingOrderProps = { order: PendingGroup['orders'][number]; chosen: boolean; onSwitch: () => void }

const PendingOrder = ({ order, chosen, onSwitch }: PendingOrderProps) => (
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
