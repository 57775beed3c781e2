import type { ReactNode } from 'react'
import type { AttemptItem } from '#contracts/payments-console'
import { capitalised, dayName, gradeLabel, kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'

type RecoveryLineProps = {
  line: AttemptItem
  /** What can be done about it. */
  children?: ReactNode
}

/** One line of the cart: for whom, what, when, at what price, and whether it is an order or why not. */
export const RecoveryLine = ({ line, children }: RecoveryLineProps) => (
  <li className="px-3 py-3 text-sm">
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <div className="min-w-0">
        <p className="font-semibold">{line.menuItem.name}</p>
        <p>{`${line.student.name}, ${gradeLabel(line.student.grade)}`}</p>
        <p className="text-muted">
          {[`Week ${line.weekNumber}, ${dayName(line.dayOfWeek)}`, line.category, line.sideDish]
            .flatMap((words) => (words ? [capitalised(words)] : []))
            .join(' · ')}
        </p>
        {line.comments ? <p className="break-words text-muted italic">{`“${line.comments}”`}</p> : null}
      </div>
      <div className="flex items-center gap-2">
        {line.orderId ? (
          <Badge tone="brand" icon="check">{`Order ${line.orderId}`}</Badge>
        ) : (
          <Badge tone="warning">No order</Badge>
        )}
        <span className="money font-semibold">{kwacha(line.discountedPrice)}</span>
      </div>
    </div>
    {line.reason ? <p className="mt-1 font-semibold text-danger-700">{line.reason}</p> : null}
    {children}
  </li>
)
