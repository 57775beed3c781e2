import { messageOf } from '../../lib/call'
import { counted } from '../../lib/format'
import { schoolClock } from '../../lib/school-moment'
import { Icon } from '../../ui/icon'

type FreshnessProps = {
  orders: { dataUpdatedAt: number; error: Error | null }
  total: number
}

/** How many there are and when they were last read; one line of its own, so that nothing below it jumps. */
export const Freshness = ({ orders, total }: FreshnessProps) => (
  <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
    <p className="money">{counted(total, 'payment attempt')}</p>
    {orders.error ? (
      <p role="alert" className="flex items-center gap-1.5 font-semibold text-danger-700">
        <Icon name="alert" size="sm" />
        {`Not refreshed since ${clock(orders.dataUpdatedAt)}. ${messageOf(orders.error, 'Failed to fetch orders')}`}
      </p>
    ) : (
      <p className="money">{`Refreshes by itself · last at ${clock(orders.dataUpdatedAt)}`}</p>
    )}
  </div>
)

const clock = (at: number) => schoolClock(new Date(at).toISOString())
