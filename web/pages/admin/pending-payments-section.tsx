import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { PendingPayments } from '../../features/pending-payments/pending-payments'
import { lazyComponent } from '../../lib/lazy'
import { SkeletonLines } from '../../ui/query-result'
import { Tabs } from '../../ui/tabs'

const Statements = lazyComponent(() =>
  import('../../features/pending-payments/statements/statements').then((m) => m.Statements),
)

const tabs = [
  { key: 'waiting', label: 'Waiting' },
  { key: 'statements', label: 'Statements' },
] as const
type TabKey = (typeof tabs)[number]['key']

/** Unpaid families and statements; the tab is in the address. */
export const PendingPaymentsSection = () => {
  const [search, setSearch] = useSearchParams()
  const current = tabs.find((tab) => tab.key === search.get('tab')) ?? tabs[0]
  const choose = (key: TabKey) => {
    // The other tab's filters and page do not apply.
    const next = new URLSearchParams({ section: 'pending_payments' })
    if (key !== tabs[0].key) next.set('tab', key)
    setSearch(next, { replace: true })
  }
  return (
    <Tabs label="Pending Payments" tabs={tabs} current={current.key} onChange={choose}>
      {current.key === 'statements' ? (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <Statements />
        </Suspense>
      ) : (
        <PendingPayments />
      )}
    </Tabs>
  )
}
