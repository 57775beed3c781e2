import { LiveOrders } from '../../features/live-orders/live-orders'
import { WithHistory } from './with-history'

/** Live Orders, with the history of each attempt. */
export const LiveOrdersSection = () => (
  <WithHistory>
    {(ask) => (
      <LiveOrders onHistory={({ attemptId, title }) => ask({ of: 'attempt', id: attemptId, title })} />
    )}
  </WithHistory>
)
