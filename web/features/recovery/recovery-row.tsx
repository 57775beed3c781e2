import type { FailedOrder } from '#contracts/payments-console'
import { classes } from '../../lib/classes'
import { kwacha } from '../../lib/format'
import { schoolClock, schoolDay } from '../../lib/school-moment'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { StackedCell, StackedRow } from '../../ui/stacked-table'
import { statusTone } from './recovery-words'
import { useRetry } from './use-retry'

type RecoveryRowProps = { order: FailedOrder; onOpen: () => void }

/** One failed attempt, with its retry and the way to everything about it. */
export const RecoveryRow = ({ order, onOpen }: RecoveryRowProps) => {
  const { retryWith, retrying } = useRetry(order)
  const whose = `the order of ${order.customer}, ${kwacha(order.amount)}`
  return (
    <StackedRow>
      <StackedCell width="most" className="@max-4xl:order-1 @max-4xl:text-muted">
        <time dateTime={order.orderDate}>
          <span className="money">{schoolDay(order.orderDate)}</span>{' '}
          <span className="money @4xl:block @4xl:text-muted">{schoolClock(order.orderDate)}</span>
        </time>
      </StackedCell>
      <StackedCell width="full" className="@max-4xl:order-3">
        <span className="font-semibold break-words">{order.customer}</span>
        <span className="block text-xs text-muted">{order.student.name}</span>
      </StackedCell>
      <StackedCell width="third" className="text-right font-semibold @max-4xl:order-2">
        <span className="money">{kwacha(order.amount)}</span>
        <Received order={order} />
      </StackedCell>
      <StackedCell width="full" className="@max-4xl:order-3">
        <StatusBadge status={order.status} />
      </StackedCell>
      <StackedCell label="Error" width="full" className="break-words @max-4xl:order-3">
        {order.error ? <span className="line-clamp-4">{order.error}</span> : 'None'}
      </StackedCell>
      <StackedCell label="Payment ref" width="full" className="text-xs break-all @max-4xl:order-3">
        {order.paymentRef}
      </StackedCell>
      <StackedCell width="full" className="@max-4xl:order-3">
        <div className="flex flex-wrap gap-1.5 @4xl:flex-col @4xl:items-stretch">
          <Button
            size="sm"
            icon="refresh"
            aria-label={`Retry ${whose}`}
            disabled={!order.allowed.retry}
            busy={retrying}
            onClick={() => void retryWith([])}
          >
            Retry
          </Button>
          <Button size="sm" variant="secondary" aria-label={`Details of ${whose}`} onClick={onOpen}>
            Details
          </Button>
        </div>
      </StackedCell>
    </StackedRow>
  )
}

const Received = ({ order: { receivedAmount, amount } }: { order: FailedOrder }) =>
  receivedAmount === null ? null : (
    <span
      className={classes('money block text-xs', receivedAmount === amount ? 'text-muted' : 'text-danger-700')}
    >
      {`Received ${kwacha(receivedAmount)}`}
    </span>
  )

const StatusBadge = ({ status }: Pick<FailedOrder, 'status'>) => (
  <span className="inline-block max-w-full [&>span]:whitespace-normal">
    <Badge tone={statusTone(status)}>{status}</Badge>
  </span>
)
