import { lazyPart } from '../lib/lazy'

/** Every page, each fetched when it is first shown: a parent never downloads the administrator console. */
export const PortalEntry = lazyPart(() => import('../pages/portal/portal-entry').then((m) => m.PortalEntry))
export const DebugLogin = lazyPart(() => import('../pages/portal/debug-login').then((m) => m.DebugLogin))
export const ChangePassword = lazyPart(() =>
  import('../pages/portal/change-password').then((m) => m.ChangePassword),
)
export const DemandedSecondFactor = lazyPart(() =>
  import('../pages/portal/change-password').then((m) => m.DemandedSecondFactor),
)
export const ParentHome = lazyPart(() => import('../pages/parent/home').then((m) => m.ParentHome))
export const TeacherHome = lazyPart(() => import('../pages/teacher/home').then((m) => m.TeacherHome))
export const PaymentSuccess = lazyPart(() => import('../pages/payment/success').then((m) => m.PaymentSuccess))
export const SignInFirst = lazyPart(() => import('../pages/payment/sign-in-first').then((m) => m.SignInFirst))
export const StopReminders = lazyPart(() =>
  import('../pages/stop-reminders').then((m) => m.StopRemindersPage),
)
export const NotFound = lazyPart(() => import('../pages/not-found').then((m) => m.NotFound))

export const Console = lazyPart(() => import('../pages/admin/console').then((m) => m.ConsolePage))
/** The addresses that few begin with: none of them is a part of anybody's first load. */
export const FurtherRoutes = lazyPart(() => import('./further-routes').then((m) => m.FurtherRoutes))
/** The hatch, and who may open it without a connection. */
export const HatchDoor = lazyPart(() => import('../pages/serve/hatch-door').then((m) => m.HatchDoor))
