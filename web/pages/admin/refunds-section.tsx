import { WaitingPayouts } from '../../features/approvals/waiting-payouts'
import { subjectOfRefund } from '../../features/payment-history/history-subject'
import { RefundManagement } from '../../features/refunds/refund-management'
import { WithHistory } from './with-history'

export const RefundsSection = () => (
  <WithHistory>
    {(ask) => (
      <div className="flex flex-col gap-4">
        <WaitingPayouts />
        <RefundManagement onHistory={({ refundId, title }) => ask(subjectOfRefund(refundId, title))} />
      </div>
    )}
  </WithHistory>
)
