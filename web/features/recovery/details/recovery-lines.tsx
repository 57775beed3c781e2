import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import type { AmendedLine, AttemptItem, FailedOrder } from '#contracts/payments-console'
import { Button } from '../../../ui/button'
import { combinedQuery, QueryResult } from '../../../ui/query-result'
import { cyclesQuery, menuQuery } from '../api'
import { capitalised, dayName, gradeLabel, kwacha } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { asOrdered } from './amendments'
import { LineAmendment } from './line-amendment'

type RecoveryLinesProps = {
  order: FailedOrder
  amendments: readonly AmendedLine[]
  onAmend: (amendments: AmendedLine[]) => void
}

/** Every line of the attempt; those that are no order yet can be changed where the server allows it. */
export const RecoveryLines = ({ order, amendments, onAmend }: RecoveryLinesProps) => {
  const amend = (index: number, amendment: AmendedLine | null) => {
    const others = amendments.filter((other) => other.index !== index)
    onAmend(amendment ? [...others, amendment] : others)
  }
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {order.cartItems.map((line) => (
        <RecoveryLine key={line.index} line={line}>
          {order.allowed.amend && line.orderId === null ? (
            <AmendLine
              order={order}
              line={line}
              amendment={amendments.find(({ index }) => index === line.index)}
              onAmend={(amendment) => amend(line.index, amendment)}
            />
          ) : null}
        </RecoveryLine>
      ))}
    </ul>
  )
}

type AmendLineProps = {
  order: FailedOrder
  line: AttemptItem
  amendment: AmendedLine | undefined
  onAmend: (amendment: AmendedLine | null) => void
}

const AmendLine = ({ order, line, amendment, onAmend }: AmendLineProps) =>
  amendment ? (
    <AmendFields order={order} line={line} amendment={amendment} onAmend={onAmend} />
  ) : (
    <Button
      size="sm"
      variant="ghost"
      icon="edit"
      className="mt-1 -ml-3"
      aria-label={`Change ${line.menuItem.name} for ${line.student.name}`}
      onClick={() => onAmend(asOrdered(line))}
    >
      Change
    </Button>
  )

const AmendFields = ({ amendment, onAmend, ...of }: AmendLineProps & { amendment: AmendedLine }) => {
  const choices = combinedQuery(useQuery(menuQuery), useQuery(cyclesQuery))
  return (
    <QueryResult<readonly [MenuItem[], OrderCycle[]]> query={choices} failure="Failed to fetch menu items">
      {([menu, cycles]) => (
        <LineAmendment
          {...of}
          amendment={amendment}
          menu={menu}
          cycles={cycles}
          onChange={onAmend}
          onUndo={() => onAmend(null)}
        />
      )}
    </QueryResult>
  )
}

type RecoveryLineProps = {
  line: AttemptItem
  /** What can be done about it. */
  children?: ReactNode
}

/** One line of the cart: for whom, what, when, at what price, and whether it is an order or why not. */
const RecoveryLine = ({ line, children }: RecoveryLineProps) => (
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
