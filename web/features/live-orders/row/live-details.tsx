import type { AttemptItem, LiveOrder } from '#contracts/payments-console'
import { capitalised, counted, dayName, gradeLabel, kwacha } from '../../../lib/format'
import { payByLabel } from '../../../lib/pay-by'
import { Badge } from '../../../ui/badge'
import { byChild } from '../live-words'
import { OldPrice } from '../../../ui/old-price'

const payingWords = ({ kind, payBy }: LiveOrder): string => {
  if (kind === 'card') return 'Card payment'
  return payBy === null ? 'Free order' : payByLabel(payBy)
}

/** The lines of an attempt by child: what was wanted for which day, at what price, and what became of it. */
export const LiveDetails = ({ order }: { order: LiveOrder }) => (
  <div className="flex flex-col gap-4">
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      <span>{payingWords(order)}</span>
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
