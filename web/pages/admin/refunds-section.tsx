import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { WaitingPayouts } from '../../features/approvals/waiting-payouts'
import { subjectOfRefund } from '../../features/payment-history/history-subject'
import { RefundManagement } from '../../features/refunds/refund-management'
import { lazyComponent } from '../../lib/lazy'
import { SkeletonLines } from '../../ui/query-result'
import { Tabs } from '../../ui/tabs'
import { WithHistory } from './with-history'

const CreditFamilies = lazyComponent(() =>
  import('../../features/refunds/credit-families').then((m) => m.CreditFamilies),
)

const tabs = [
  { key: 'refunds', label: 'Refunds' },
  { key: 'credit', label: 'Families with credit' },
] as const

export const RefundsSection = () => {
  const [search, setSearch] = useSearchParams()
  const current = search.get('tab') === 'credit' ? 'credit' : 'refunds'
  return (
    <WithHistory>
      {(ask) => (
        <div className="flex flex-col gap-4">
          <WaitingPayouts />
          <Tabs
            label="Refund Management"
            tabs={tabs}
            current={current}
            onChange={(key) =>
              setSearch({ section: 'refunds', ...(key === 'credit' && { tab: key }) }, { replace: true })
            }
          >
            {current === 'refunds' ? (
              <RefundManagement onHistory={({ refundId, title }) => ask(subjectOfRefund(refundId, title))} />
            ) : (
              <Suspense fallback={<SkeletonLines lines={6} />}>
                <CreditFamilies />
              </Suspense>
            )}
          </Tabs>
        </div>
      )}
    </WithHistory>
  )
}
