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
import { Button, IconButton } from '../../ui/button'
import { StackedCell, StackedRow } from '../../ui/data-table'
import { LiveActions } from './live-actions'
import { type OnHistory, byChild, liveTone, rowText, statusWord, transferText } from './live-text'

type LiveRowProps = {
  order: LiveOrder
  open: boolean
  onToggle: () => void
  onHistory: OnHistory
  columns: number
}

const oneLine = '@4xl:truncate @4xl:[&_wbr]:hidden @4xl:py-0.5! @4xl:align-middle @max-4xl:break-words'

/** One attempt in one line; opened, what was in its cart and what became of each line. */
export const LiveRow = ({ order, open, onToggle, onHistory, columns }: LiveRowProps) => {
  const id = useId()
  const words = rowText(order)
  const title = `${order.username}, ${kwacha(order.amount)}, ${schoolDay(order.createdAt)}`
  return (
    <>
      <StackedRow className={classes(open && 'bg-sand-50 @max-4xl:rounded-b-none')}>
        <StackedCell width="third" className={classes(oneLine, 'px-0! @max-4xl:text-right @max-4xl:order-2')}>
          <IconButton
            icon={open ? 'chevron-up' : 'chevron-down'}
            label={`${open ? 'Hide' : 'Show'} the lines of ${title}`}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            className="@4xl:min-h-9! @4xl:min-w-9!"
            onClick={onToggle}
          />
        </StackedCell>
        <StackedCell width="most" className={classes(oneLine, '@max-4xl:order-1 @max-4xl:self-center')}>
          <time dateTime={order.createdAt} className="money @max-4xl:whitespace-normal @max-4xl:text-muted">
            {schoolDay(order.createdAt).slice(0, -5)}
            <span className="@4xl:sr-only">{schoolDay(order.createdAt).slice(-5)}</span>{' '}
            <span className="@4xl:text-muted">{schoolClock(order.createdAt)}</span>
          </time>
        </StackedCell>
        <StackedCell label="Parent" className={classes(oneLine, '@max-4xl:order-4')}>
          <span className="font-semibold">{order.parentName || <Breakable text={order.username} />}</span>{' '}
          {order.parentName ? (
            <span className="text-muted">
              <Breakable text={order.username} />
            </span>
          ) : null}
        </StackedCell>
        <StackedCell label="Student" className={classes(oneLine, '@max-4xl:order-6')}>
          <span className="@max-4xl:line-clamp-2">{words.students}</span>
        </StackedCell>
        <StackedCell label="Items" className={classes(oneLine, '@max-4xl:order-7')}>
          <span className="@max-4xl:line-clamp-2">{words.items}</span>
        </StackedCell>
        <StackedCell label="Amount" className={classes(oneLine, '@4xl:text-right @max-4xl:order-5')}>
          <span className="money font-semibold">
            {kwacha(order.amount)}
            {order.receivedAmount === null || order.receivedAmount === order.amount ? null : (
              <span className="block text-xs text-danger-700">{`Received ${kwacha(order.receivedAmount)}`}</span>
            )}
          </span>
        </StackedCell>
        <StackedCell width="full" className={classes(oneLine, '@max-4xl:order-10')}>
          <span className="inline-flex max-w-full items-baseline gap-1.5 font-semibold">
            <span
              aria-hidden="true"
              className={classes('size-2.5 shrink-0 rounded-xl', dots[liveTone(order)])}
            />
            <span className="truncate">{statusWord(order)}</span>
          </span>
        </StackedCell>
        <StackedCell label="Transaction ID" width="full" className={classes(oneLine, '@max-4xl:order-9')}>
          {order.reference ? <span>{order.reference} </span> : null}
          {order.transactionId ? <span className="break-all text-muted">{order.transactionId}</span> : null}
          {order.reference || order.transactionId ? null : 'None'}
        </StackedCell>
        <StackedCell className={classes(oneLine, '@max-4xl:hidden')}>{words.weeks}</StackedCell>
        <StackedCell className={classes(oneLine, '@max-4xl:hidden')}>{words.days}</StackedCell>
        <StackedCell width="full" className={classes(oneLine, 'px-0! @max-4xl:order-11')}>
          <LiveActions order={order} />
        </StackedCell>
      </StackedRow>
      {open ? (
        <tr
          id={id}
          className="bg-sand-50 @max-4xl:-mt-3 @max-4xl:block @max-4xl:rounded-b-md @max-4xl:border @max-4xl:border-t-0 @max-4xl:border-line"
        >
          <td colSpan={columns} className="px-3 pt-1 pb-4 @max-4xl:block @4xl:pl-12">
            <LiveDetails
              order={order}
              onHistory={() => onHistory({ attemptId: order.id, title })}
              title={title}
            />
          </td>
        </tr>
      ) : null}
    </>
  )
}

const dots = {
  neutral: 'bg-sand-400',
  brand: 'bg-brand-600',
  accent: 'bg-accent-600',
  warning: 'bg-accent-500',
  danger: 'bg-danger-600',
  info: 'bg-info-700',
} as const

/** In the words of the document. */
const LiveStatus = ({ order }: { order: LiveOrder }) => {
  const unpaid = transferText(order)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <span className="font-semibold">{order.status}</span>
      {unpaid ? <Badge tone={liveTone(order)}>{unpaid}</Badge> : null}
      {order.isRecovered ? <Badge tone="accent">Recovered</Badge> : null}
      {order.paidWith === null ? null : <span className="break-words">{paidWithText(order.paidWith)}</span>}
    </div>
  )
}

const payingText = ({ kind, payBy }: LiveOrder): string => {
  if (payBy === null) return 'Free order'
  return kind === 'card' && payBy === 'card' ? 'Card payment' : payByLabel(payBy)
}

type LiveDetailsProps = { order: LiveOrder; title: string; onHistory: () => void }

const LiveDetails = ({ order, title, onHistory }: LiveDetailsProps) => (
  <div className="flex flex-col gap-4">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <LiveStatus order={order} />
      <Button
        size="sm"
        variant="secondary"
        icon="history"
        aria-label={`History of ${title}`}
        onClick={onHistory}
      >
        History
      </Button>
    </div>
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      <span>{payingText(order)}</span>
      {order.originalAmount > order.amount ? (
        <OldPrice price={order.originalAmount} className="money" />
      ) : null}
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
