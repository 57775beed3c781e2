import { OrderRecovery } from '../../features/recovery/order-recovery'
import { WithHistory } from './with-history'

/** Order Recovery, with the history of each attempt. */
export const RecoverySection = () => (
  <WithHistory>
    {(ask) => (
      <OrderRecovery onHistory={({ attemptId, title }) => ask({ of: 'attempt', id: attemptId, title })} />
    )}
  </WithHistory>
)
