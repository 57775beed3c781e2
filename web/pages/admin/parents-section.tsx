import { Suspense, type ComponentType } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Student } from '#contracts/identity'
import { sectionsOf } from '../../features/admin-shell/console-shell'
import { WaitingPayouts } from '../../features/approvals/waiting-payouts'
import { HealthButton } from '../../features/health/child-health'
import { Parents } from '../../features/parents/parents'
import { lazyComponent } from '../../lib/lazy'
import { useUser } from '../../queries/session'
import { SkeletonLines } from '../../ui/query-result'
import { Tabs } from '../../ui/tabs'

const tabs = [
  { key: 'parents', label: 'Parents' },
  { key: 'roll', label: 'Roll' },
  { key: 'import', label: 'Import' },
  { key: 'no-lunch', label: 'No lunch ordered' },
] as const
type TabKey = (typeof tabs)[number]['key']

/** Families, roll and import; the tab is in the address. Whoever has the Kitchen View finds who has no lunch ordered there. */
export const ParentsSection = () => {
  const [search, setSearch] = useSearchParams()
  const isCook = sectionsOf(useUser()).some(({ key }) => key === 'kitchen')
  const offered = tabs.filter(({ key }) => key !== 'no-lunch' || !isCook)
  const current = offered.find((tab) => tab.key === search.get('tab')) ?? tabs[0]
  const Screen = screens[current.key]
  const choose = (key: TabKey) => {
    // The other tab's filters and page do not apply.
    const next = new URLSearchParams({ section: 'parents_students' })
    if (key !== tabs[0].key) next.set('tab', key)
    setSearch(next, { replace: true })
  }
  return (
    <Tabs label="Parents & Students" tabs={offered} current={current.key} onChange={choose}>
      <Suspense fallback={<SkeletonLines lines={6} />}>
        <Screen />
      </Suspense>
    </Tabs>
  )
}

const health = (student: Student) => <HealthButton student={student} />

const waitingPayouts = (parentId: number) => <WaitingPayouts parentId={parentId} />

/** Credit needs the refunds feature. */
const ParentsTab = () => (
  <Parents
    maySeeCredit={sectionsOf(useUser()).some(({ key }) => key === 'refunds')}
    waitingPayouts={waitingPayouts}
    health={health}
  />
)

const screens: Record<TabKey, ComponentType> = {
  parents: ParentsTab,
  roll: lazyComponent(() => import('./roll-tab').then((m) => m.RollTab)),
  import: lazyComponent(() => import('./import-tab').then((m) => m.ImportTab)),
  'no-lunch': lazyComponent(() => import('./no-lunch-tab').then((m) => m.NoLunchTab)),
}
