import { subjectOfRefund } from '../../features/payment-history/history-subject'
import { RefundManagement } from '../../features/refunds/refund-management'
import { WithHistory } from './with-history'

/** Refund Management, with the history of what each refund belongs to. */
export const RefundsSection = () => (
  <WithHistory>
    {(ask) => <RefundManagement onHistory={({ refundId, title }) => ask(subjectOfRefund(refundId, title))} />}
  </WithHistory>
)
