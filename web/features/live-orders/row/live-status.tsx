import type { LiveOrder } from '#contracts/payments-console'
import { classes } from '../../../lib/classes'
import { Badge } from '../../../ui/badge'
import { statusTones } from '../live-words'

const dots = {
  neutral: 'bg-sand-400',
  brand: 'bg-brand-600',
  accent: 'bg-accent-600',
  warning: 'bg-accent-500',
  danger: 'bg-danger-600',
  info: 'bg-info-700',
} as const

/** The status in words that may wrap in a narrow column, and whether the payment was recovered. */
export const LiveStatus = ({ order }: { order: Pick<LiveOrder, 'status' | 'isRecovered'> }) => (
  <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
    <span className="inline-flex items-baseline gap-1.5 font-semibold">
      <span
        aria-hidden="true"
        className={classes('size-2.5 shrink-0 rounded-xl', dots[statusTones[order.status]])}
      />
      {order.status}
    </span>
    {order.isRecovered ? <Badge tone="accent">Recovered</Badge> : null}
  </div>
)
