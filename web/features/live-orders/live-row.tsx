import { useId } from 'react'
import type { LiveOrder, AttemptItem } from '#contracts/payments-console'
import { classes } from '../../lib/classes'
import {
  kwacha,
  capitalised,
  counted,
  dayName,
  gradeLabel,
  paidFromText,
  paidWithText,
  payByLabel,
} from '../../lib/format'
import { schoolClock, schoolDay } from '../../lib/school-moment'
import { Breakable, Badge, OldPrice } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { StackedCell, StackedRow } from '../../ui/data-table'
import { LiveActions } from './live-actions'
import { type OnHistory, byChild, liveTone, rowText, transferText } from './live-text'

type LiveRowProps = {
  order: LiveOrder
  open: boolean
  onToggle: () => void
  onHistory: OnHistory
  columns: number
}

/** One attempt; opened, what was in its cart and what became of each line. */
export const LiveRow = ({ order, open, onToggle, onHistory, columns }: LiveRowProps) => {
  const id = useId()
  const words = rowText(order)
  const title = `${order.username}, ${kwacha(order.amount)}, ${schoolDay(order.createdAt)}`
  return (
    <>
      <StackedRow className={classes(open && 'bg-sand-50 @max-4xl:rounded-b-none')}>
        <StackedCell
          width="third"
          className="px-0! py-1.5! @max-4xl:-ml-2 @max-4xl:mr-2 @max-4xl:py-0! @max-4xl:text-right @max-4xl:order-2 @max-4xl:col-span-1!"
        >
          <IconButton
            icon={open ? 'chevron-up' : 'chevron-down'}
            label={`${open ? 'Hide' : 'Show'} the lines of ${title}`}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={onToggle}
          />
        </StackedCell>
        <StackedCell width="most" className="@max-4xl:order-1 @max-4xl:self-center">
          <time dateTime={order.createdAt} className="@max-4xl:text-muted">
            <span className="money">{schoolDay(order.createdAt)}</span>{' '}
            <span className="money @4xl:block @4xl:text-muted">{schoolClock(order.createdAt)}</span>
          </time>
        </StackedCell>
        <StackedCell label="Parent" className="break-words @max-4xl:order-4">
          {order.parentName ? <span className="block font-semibold">{order.parentName}</span> : null}
          <span className={order.parentName ? 'text-muted' : 'font-semibold'}>
            <Breakable text={order.username} />
          </span>
        </StackedCell>
        <StackedCell label="Student" className="break-words @max-4xl:order-6">
          <span className="line-clamp-3">{words.students}</span>
        </StackedCell>
        <StackedCell label="Items" className="break-words @max-4xl:order-7">
          <span className="line-clamp-3">{words.items}</span>
        </StackedCell>
        <StackedCell label="Amount" className="@4xl:text-right @max-4xl:order-5">
          <LiveAmount order={order} />
        </StackedCell>
        <StackedCell width="full" className="@max-4xl:order-10">
          <LiveStatus order={order} />
          <PaidWith references={order.paidWith} />
          <div className="mt-1.5 empty:hidden">
            <LiveActions order={order} />
          </div>
        </StackedCell>
        <StackedCell label="Transaction ID" width="full" className="@max-4xl:order-9">
          {order.reference ? <span className="block whitespace-nowrap">{order.reference}</span> : null}
          {order.transactionId ? (
            <span className="line-clamp-1 break-all text-muted">{order.transactionId}</span>
          ) : null}
          {order.reference || order.transactionId ? null : 'None'}
        </StackedCell>
        <StackedCell className="@max-4xl:hidden">{words.weeks}</StackedCell>
        <StackedCell className="@max-4xl:hidden">{words.days}</StackedCell>
        <StackedCell
          width="third"
          className="px-0! py-1.5! @max-4xl:py-0! @max-4xl:text-right @max-4xl:order-3 @max-4xl:col-span-1!"
        >
          <IconButton
            icon="history"
            label={`History of ${title}`}
            onClick={() => onHistory({ attemptId: order.id, title })}
          />
        </StackedCell>
      </StackedRow>
      {open ? (
        <tr
          id={id}
          className="bg-sand-50 @max-4xl:-mt-3 @max-4xl:block @max-4xl:rounded-b-md @max-4xl:border @max-4xl:border-t-0 @max-4xl:border-line"
        >
          <td colSpan={columns} className="px-3 pt-1 pb-4 @max-4xl:block @4xl:pl-12">
            <LiveDetails order={order} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

const LiveAmount = ({ order }: { order: LiveOrder }) => (
  <span className="money font-semibold">
    {order.originalAmount > order.amount ? (
      <OldPrice price={order.originalAmount} className="block font-normal text-muted" />
    ) : null}
    {kwacha(order.amount)}
    {order.receivedAmount === null || order.receivedAmount === order.amount ? null : (
      <span className="block text-xs text-danger-700">{`Received ${kwacha(order.receivedAmount)}`}</span>
    )}
  </span>
)

const dots = {
  neutral: 'bg-sand-400',
  brand: 'bg-brand-600',
  accent: 'bg-accent-600',
  warning: 'bg-accent-500',
  danger: 'bg-danger-600',
  info: 'bg-info-700',
} as const

/** Wraps in narrow columns. */
const LiveStatus = ({
  order,
}: {
  order: Pick<LiveOrder, 'status' | 'isRecovered' | 'transfer' | 'amount'>
}) => {
  const unpaid = transferText(order)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="inline-flex items-baseline gap-1.5 font-semibold">
        <span aria-hidden="true" className={classes('size-2.5 shrink-0 rounded-xl', dots[liveTone(order)])} />
        {order.status}
      </span>
      {unpaid ? <Badge tone={liveTone(order)}>{unpaid}</Badge> : null}
      {order.isRecovered ? <Badge tone="accent">Recovered</Badge> : null}
    </div>
  )
}

const PaidWith = ({ references }: { references: LiveOrder['paidWith'] }) =>
  references === null ? null : <p className="mt-1 break-words text-muted">{paidWithText(references)}</p>

const payingText = ({ kind, payBy }: LiveOrder): string => {
  if (payBy === null) return 'Free order'
  return kind === 'card' && payBy === 'card' ? 'Card payment' : payByLabel(payBy)
}

const LiveDetails = ({ order }: { order: LiveOrder }) => (
  <div className="flex flex-col gap-4">
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      <span>{payingText(order)}</span>
      {order.paidFrom ? <span>{paidFromText(order.paidFrom)}</span> : null}
      {order.receivedAmount === null ? null : (
        <span>{`Asked for ${kwacha(order.amount)}, received ${kwacha(order.receivedAmount)}`}</span>
      )}
      {order.reference ? <span>{`Reference ${order.reference}`}</span> : null}
      <span>{`State: ${order.state}`}</span>
      {order.transactionId ? (
        <span className="break-all">{`Transaction ID ${order.transactionId}`}</span>
      ) : null}
    </p>
    {byChild(order.cartItems).map((child) => (
      <div key={child.id}>
        <p className="mb-1.5 flex flex-wrap items-baseline gap-x-2">
          <span className="text-base font-semibold text-brand-800">{child.name}</span>
          <span className="text-sm text-muted">{`${gradeLabel(child.grade)} · ${counted(child.lines.length, 'meal')}`}</span>
        </p>
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {child.lines.map((line) => (
            <LiveLine key={line.index} line={line} />
          ))}
        </ul>
      </div>
    ))}
  </div>
)

const LiveLine = ({ line }: { line: AttemptItem }) => (
  <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 px-3 py-2 text-sm">
    <div className="min-w-0">
      <p className="font-semibold">{line.menuItem.name}</p>
      <p className="text-muted">
        {[`Week ${line.weekNumber}, ${dayName(line.dayOfWeek)}`, line.category, line.sideDish]
          .flatMap((words) => (words ? [capitalised(words)] : []))
          .join(' · ')}
      </p>
      {line.comments ? <p className="break-words text-muted italic">{`“${line.comments}”`}</p> : null}
      {line.reason ? <p className="font-semibold text-danger-700">{line.reason}</p> : null}
    </div>
    <div className="flex flex-wrap items-center gap-2">
      {line.orderId ? (
        <Badge tone="brand" icon="check">
          {`Order ${line.orderId}`}
        </Badge>
      ) : (
        <Badge>No order</Badge>
      )}
      <span className="money font-semibold">
        {line.discountedPrice < line.originalPrice ? (
          <OldPrice price={line.originalPrice} className="mr-1.5 font-normal text-muted" />
        ) : null}
        {kwacha(line.discountedPrice)}
      </span>
    </div>
  </li>
)
