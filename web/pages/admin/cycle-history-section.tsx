import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CycleHistory } from '../../features/cycle-history/cycle-history'
import { lazyComponent } from '../../lib/lazy'
import { SkeletonLines } from '../../ui/query-result'
import { Tabs } from '../../ui/tabs'
import { WithHistory } from './with-history'

const BooksParts = lazyComponent(() => import('../../features/books/books').then((m) => m.BooksParts))

const tabs = [
  { key: 'orders', label: 'Orders' },
  { key: 'books', label: 'Books' },
] as const
type TabKey = (typeof tabs)[number]['key']

/** Orders and books; the tab is in the address. */
export const CycleHistorySection = () => {
  const [search, setSearch] = useSearchParams()
  const current = tabs.find((tab) => tab.key === search.get('tab')) ?? tabs[0]
  const choose = (key: TabKey) => {
    // The other tab's filters and page do not apply.
    const next = new URLSearchParams({ section: 'history' })
    if (key !== tabs[0].key) next.set('tab', key)
    setSearch(next, { replace: true })
  }
  return (
    <WithHistory>
      {(ask) => (
        <Tabs label="Cycle History" tabs={tabs} current={current.key} onChange={choose}>
          {current.key === 'books' ? (
            <Suspense fallback={<SkeletonLines lines={6} />}>
              <BooksParts onHistory={ask} />
            </Suspense>
          ) : (
            <CycleHistory onHistory={({ orderId, title }) => ask({ of: 'order', id: orderId, title })} />
          )}
        </Tabs>
      )}
    </WithHistory>
  )
}
