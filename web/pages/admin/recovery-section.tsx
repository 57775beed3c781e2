import { OrderRecovery } from '../../features/recovery/order-recovery'
import { WithHistory } from './with-history'

export const RecoverySection = () => (
  <WithHistory>
    {(ask) => (
      <OrderRecovery onHistory={({ attemptId, title }) => ask({ of: 'attempt', id: attemptId, title })} />
    )}
  </WithHistory>
)
