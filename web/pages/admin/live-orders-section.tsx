import { LiveOrders } from '../../features/live-orders/live-orders'
import { WithHistory } from './with-history'

export const LiveOrdersSection = () => (
  <WithHistory>
    {(ask) => (
      <LiveOrders onHistory={({ attemptId, title }) => ask({ of: 'attempt', id: attemptId, title })} />
    )}
  </WithHistory>
)
