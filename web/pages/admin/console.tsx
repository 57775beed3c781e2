import { useSearchParams } from 'react-router-dom'
import { beginsWithToday } from '#contracts/find'
import type { FeatureName, User } from '#contracts/identity'
import { NoSection, chosenSection, sectionsOf } from '../../features/admin-shell/console-shell'
import { lazyComponent } from '../../lib/lazy'
import { useUser } from '../../queries/session'
import { hasToday } from '../../queries/today'
import { AdminFrame } from './admin-frame'

/** Loaded when first opened. */
const screens: Record<FeatureName, ReturnType<typeof lazyComponent<object>>> = {
  menu: lazyComponent(() => import('./menu-section').then((m) => m.MenuSection)),
  kitchen: lazyComponent(() => import('./kitchen-section').then((m) => m.KitchenSection)),
  cycles: lazyComponent(() =>
    import('../../features/cycles-admin/cycles-screen').then((m) => m.CyclesScreen),
  ),
  history: lazyComponent(() => import('./cycle-history-section').then((m) => m.CycleHistorySection)),
  live_orders: lazyComponent(() => import('./live-orders-section').then((m) => m.LiveOrdersSection)),
  revenue: lazyComponent(() => import('./revenue-section').then((m) => m.RevenueSection)),
  refunds: lazyComponent(() => import('./refunds-section').then((m) => m.RefundsSection)),
  admins: lazyComponent(() => import('./admin-users-section').then((m) => m.AdminUsersSection)),
  parents_students: lazyComponent(() => import('./parents-section').then((m) => m.ParentsSection)),
  settings: lazyComponent(() => import('./settings-section').then((m) => m.SettingsSection)),
  order_recovery: lazyComponent(() => import('./recovery-section').then((m) => m.RecoverySection)),
  pending_payments: lazyComponent(() =>
    import('./pending-payments-section').then((m) => m.PendingPaymentsSection),
  ),
}

const TodayScreen = lazyComponent(() => import('./today-section').then((m) => m.TodaySection))

/** Asked for, or in place of the first of several sections where that is one of money. */
const isToday = (user: User, section: string | null): boolean => {
  if (!hasToday(user) || section === 'today') return hasToday(user)
  return section === null && beginsWithToday(sectionsOf(user).map(({ key }) => key))
}

export const firstScreen = (user: User, section: string | null) => {
  if (isToday(user, section)) return TodayScreen
  const first = chosenSection(sectionsOf(user), section)
  return first ? screens[first.key] : undefined
}

/** Default: menu, today or the first section held. */
export const ConsolePage = () => {
  const user = useUser()
  const [search] = useSearchParams()
  const asked = search.get('section')
  if (isToday(user, asked))
    return (
      <AdminFrame title="Today" section="today">
        <TodayScreen />
      </AdminFrame>
    )
  const section = chosenSection(sectionsOf(user), asked)
  if (!section)
    return (
      <AdminFrame title="Console" section={null}>
        <NoSection title="No sections yet">
          Your account has no console sections. Another administrator can give you some.
        </NoSection>
      </AdminFrame>
    )
  const Screen = screens[section.key]
  return (
    <AdminFrame title={section.label} section={section.key}>
      <Screen key={section.key} />
    </AdminFrame>
  )
}
