import type { User } from '#contracts/identity'
import { lazyComponent } from '../lib/lazy'
import { paths } from '../lib/paths'

const byRole = {
  parent: async (tab: string | null) => (await import('../pages/parent/home')).panels.get(tab),
  teacher: async (tab: string | null) => (await import('../pages/teacher/home')).panels.get(tab),
}

/** Prefetches the code of the first page so that it is drawn at once. */
export const fetchFirstPage = async (
  user: User | null | undefined,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): Promise<void> => {
  if (pathname === paths.serve) return void (await HatchDoor.preload())
  if (user === undefined || pathname !== paths.home) return
  if (user === null) return void (await PortalEntry.preload())
  if (user.mustChangePassword || user.mustSetUpSecondFactor) return
  const asked = new URLSearchParams(search)
  if (user.role === 'admin') {
    const [, { firstScreen }] = await Promise.all([Console.preload(), import('../pages/admin/console')])
    await firstScreen(user, asked.get('section'))?.preload()
    return
  }
  const home = user.role === 'parent' ? ParentHome : TeacherHome
  const [panel] = await Promise.all([byRole[user.role](asked.get('tab')), home.preload()])
  await panel?.preload()
}

export const PortalEntry = lazyComponent(() =>
  import('../pages/portal/portal-entry').then((m) => m.PortalEntry),
)
export const DebugLogin = lazyComponent(() => import('../pages/portal/debug-login').then((m) => m.DebugLogin))
export const ChangePassword = lazyComponent(() =>
  import('../pages/portal/change-password').then((m) => m.ChangePassword),
)
export const DemandedSecondFactor = lazyComponent(() =>
  import('../pages/portal/change-password').then((m) => m.DemandedSecondFactor),
)
export const ParentHome = lazyComponent(() => import('../pages/parent/home').then((m) => m.ParentHome))
export const TeacherHome = lazyComponent(() => import('../pages/teacher/home').then((m) => m.TeacherHome))
export const PaymentSuccess = lazyComponent(() =>
  import('../pages/payment/success').then((m) => m.PaymentSuccess),
)
export const PaymentByPhone = lazyComponent(() =>
  import('../pages/payment/phone').then((m) => m.PaymentByPhone),
)
export const SignInFirst = lazyComponent(() =>
  import('../pages/payment/sign-in-first').then((m) => m.SignInFirst),
)
export const StopReminders = lazyComponent(() =>
  import('../pages/opened-links').then((m) => m.StopRemindersPage),
)
export const Privacy = lazyComponent(() => import('../pages/opened-links').then((m) => m.PrivacyPage))
export const NotFound = lazyComponent(() => import('../pages/not-found').then((m) => m.NotFound))

export const Console = lazyComponent(() => import('../pages/admin/console').then((m) => m.ConsolePage))
/** Rare entry points, kept out of the first load. */
export const FurtherRoutes = lazyComponent(() => import('./further-routes').then((m) => m.FurtherRoutes))
/** The hatch, with its offline access check. */
export const HatchDoor = lazyComponent(() => import('../pages/serve/hatch-door').then((m) => m.HatchDoor))
