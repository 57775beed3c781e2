import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { lazyPart } from '../../lib/lazy'
import { SkeletonLines } from '../../ui/skeleton'
import { Tabs } from '../../ui/tabs'
import { Books } from './books'
import type { OnHistory } from './entry-row'

const DayEnd = lazyPart(() => import('./day-end/day-end').then((m) => m.DayEnd))

const Settlements = lazyPart(() => import('./settlements/settlements').then((m) => m.Settlements))

const tabs = [
  { key: 'history', label: 'History' },
  { key: 'day-end', label: 'Day end' },
  { key: 'settlements', label: 'Settlements' },
] as const
type TabKey = (typeof tabs)[number]['key']

/** The books: everything that happened, what it came to on each day, and what the card provider says; the part is in the address. */
export const BooksParts = ({ onHistory }: { onHistory: OnHistory }) => {
  const [search, setSearch] = useSearchParams()
  const current = tabs.find((tab) => tab.key === search.get('books')) ?? tabs[0]
  const choose = (key: TabKey) => {
    // Filters, range and page belong to the part that is left.
    const next = new URLSearchParams({ section: 'history', tab: 'books' })
    if (key !== tabs[0].key) next.set('books', key)
    setSearch(next, { replace: true })
  }
  return (
    <Tabs label="Books" tabs={tabs} current={current.key} onChange={choose}>
      {current.key === 'history' ? (
        <Books onHistory={onHistory} />
      ) : (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          {current.key === 'day-end' ? <DayEnd /> : <Settlements />}
        </Suspense>
      )}
    </Tabs>
  )
}
