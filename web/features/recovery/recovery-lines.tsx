import { useQuery } from '@tanstack/react-query'
import type { MenuItem } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import type { AttemptItem, FailedOrder } from '#contracts/payments-console'
import { Button } from '../../ui/button'
import { bothFaces, QueryFaces } from '../../ui/query-faces'
import { asOrdered } from './amendments'
import type { Amendments } from './amendments'
import type { Amendment } from './api'
import { cyclesQuery, menuQuery } from './api'
import { LineAmendment } from './line-amendment'
import { RecoveryLine } from './recovery-line'

type RecoveryLinesProps = {
  order: FailedOrder
  amendments: Amendments
  onAmend: (amendments: Amendments) => void
}

/** Every line of the attempt; those that are no order yet can be changed where a retry is allowed. */
export const RecoveryLines = ({ order, amendments, onAmend }: RecoveryLinesProps) => {
  const amend = (index: number, amendment: Amendment | null) => {
    const next = new Map(amendments)
    if (amendment) next.set(index, amendment)
    else next.delete(index)
    onAmend(next)
  }
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {order.cartItems.map((line) => (
        <RecoveryLine key={line.index} line={line}>
          {order.allowed.retry && line.orderId === null ? (
            <AmendLine
              order={order}
              line={line}
              amendment={amendments.get(line.index)}
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
  amendment: Amendment | undefined
  onAmend: (amendment: Amendment | null) => void
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

const AmendFields = ({ amendment, onAmend, ...of }: AmendLineProps & { amendment: Amendment }) => {
  const choices = bothFaces(useQuery(menuQuery), useQuery(cyclesQuery))
  return (
    <QueryFaces<readonly [MenuItem[], OrderCycle[]]> query={choices} failure="Failed to fetch menu items">
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
    </QueryFaces>
  )
}
