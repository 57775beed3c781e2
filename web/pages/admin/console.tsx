import { useSearchParams } from 'react-router-dom'
import type { FeatureName, User } from '#contracts/identity'
import { NoSection } from '../../features/admin-shell/no-section'
import { chosenSection, sectionsOf } from '../../features/admin-shell/sections'
import { useUser } from '../../features/session/current-user'
import { lazyPart } from '../../lib/lazy'
import { AdminFrame } from './admin-frame'

/** Each section's screen, fetched when it is first opened. */
const screens: Record<FeatureName, ReturnType<typeof lazyPart<object>>> = {
  menu: lazyPart(() => import('./menu-section').then((m) => m.MenuSection)),
  kitchen: lazyPart(() => import('./kitchen-section').then((m) => m.KitchenSection)),
  cycles: lazyPart(() => import('../../features/cycles-admin/cycles-screen').then((m) => m.CyclesScreen)),
  history: lazyPart(() => import('./cycle-history-section').then((m) => m.CycleHistorySection)),
  live_orders: lazyPart(() => import('./live-orders-section').then((m) => m.LiveOrdersSection)),
  revenue: lazyPart(() => import('../../features/revenue/revenue-stats').then((m) => m.RevenueStats)),
  refunds: lazyPart(() => import('./refunds-section').then((m) => m.RefundsSection)),
  admins: lazyPart(() => import('./admin-users-section').then((m) => m.AdminUsersSection)),
  parents_students: lazyPart(() => import('./parents-section').then((m) => m.ParentsSection)),
  settings: lazyPart(() => import('./settings-section').then((m) => m.SettingsSection)),
  order_recovery: lazyPart(() => import('./recovery-section').then((m) => m.RecoverySection)),
  pending_payments: lazyPart(() =>
    import('./pending-payments-section').then((m) => m.PendingPaymentsSection),
  ),
}

/** The screen that this administrator comes to. */
export const firstScreen = (user: User, section: string | null) => {
  const first = chosenSection(sectionsOf(user), section)
  return first ? screens[first.key] : undefined
}

/** The administrator console: the section named in the address, by default menu or the first one held. */
export const ConsolePage = () => {
  const [search] = useSearchParams()
  const section = chosenSection(sectionsOf(useUser()), search.get('section'))
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
