import { type Access, type Route, type Principal, addressOf } from '#platform/http/route'
import type { Exchange } from './http-exchange'

export type RouteAccess = { method: string; path: string; access: Access }

/** Every route with whom it is for, ordered by path: the table that the access tests walk. */
export const describeAccess = (routes: readonly Route[]): RouteAccess[] =>
  routes
    .map((route) => {
      const { method, path } = addressOf(route)
      return { method, path, access: route.access }
    })
    .toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`))

/** Somebody who tries every door; null is a stranger. */
export type Visitor = { name: string; principal: Principal | null }

const doors = [
  'not_signed_in',
  'forbidden',
  'password_change_required',
  'second_factor_setup_required',
] as const
export type Verdict = 'admitted' | (typeof doors)[number]

type AccessCase = { method: string; path: string; visitor: Visitor; expected: Verdict }

/** Every route with every visitor, and what the rights part of the answer must be. */
export const accessCases = (routes: readonly RouteAccess[], visitors: readonly Visitor[]): AccessCase[] =>
  routes.flatMap(({ method, path, access }) =>
    visitors.map((visitor) => ({ method, path, visitor, expected: expectedFor(access, visitor.principal) })),
  )

// Told here in other words than the server's, so that the walk can find the server wrong.
const expectedFor = (access: Access, principal: Visitor['principal']): Verdict => {
  const open = access.kind === 'anyone'
  if (principal === null) return open ? 'admitted' : 'not_signed_in'
  const isForAll = access.kind === 'whoever-signed-in' && !access.ownPassword
  if (principal.mustChangePassword && !open && !isForAll) return 'password_change_required'
  if (principal.mustSetUpSecondFactor && !open && access.kind !== 'whoever-signed-in')
    return 'second_factor_setup_required'
  if (access.kind === 'roles' && access.roles.some((role) => role === principal.role)) return 'admitted'
  if (access.kind !== 'features' && access.kind !== 'roles') return 'admitted'
  const opening = access.kind === 'features' ? access.features : access.orFeature ? [access.orFeature] : []
  const held = new Set(principal.isSuperadmin ? opening : principal.features)
  return principal.role === 'admin' && opening.some((feature) => held.has(feature)) ? 'admitted' : 'forbidden'
}

/** What an answer says about rights alone: a 404, a 422 or a success all mean that the door was open. */
export const verdictOf = (answer: Exchange): Verdict => {
  if (answer.status !== 401 && answer.status !== 403) return 'admitted'
  // The sandbox refuses callers without a name as the real provider does, with a page.
  if (!answer.headers['content-type']?.startsWith('application/json')) return 'admitted'
  const { code } = answer.json<{ code: string }>()
  return doors.find((refused) => refused === code) ?? 'admitted'
}

/** An address of a route that names nothing that exists. */
export const nowhereOn = (path: string): string => path.replaceAll(/:\w+/g, '999999999')

/**
 * Whose things a route open to families shows or changes; the walk of tests/app/access.int.test.ts proves it for
 * every route named `own`. `own`: the caller's family; another family's is not found. `self`: the caller's account
 * alone, named by nobody. `school`: the same for everybody who may call it. `link`: whoever holds the secret in it.
 */
export const whose: Record<string, 'own' | 'self' | 'school' | 'link'> = {
  'GET /api/user': 'self',
  'PUT /api/profile': 'self',
  'GET /api/user/sessions': 'self',
  'DELETE /api/user/sessions/:id': 'own',
  'POST /api/reminders/stop': 'link',
  'GET /api/user/messages': 'self',
  'PUT /api/user/messages': 'self',
  'POST /api/user/phone/verify': 'self',
  'POST /api/user/phone/confirm': 'self',
  'POST /api/user/totp': 'self',
  'POST /api/user/totp/confirm': 'self',
  'DELETE /api/user/totp': 'self',
  'POST /api/user/privacy': 'self',
  'POST /api/profile/data': 'self',
  'POST /api/logout': 'self',
  'POST /api/login': 'self',
  'POST /api/register': 'self',
  'POST /api/auth/forgot-password': 'self',
  'POST /api/user/verification-mail': 'self',
  'POST /api/user/convert-to-teacher': 'self',
  'POST /api/user/staff-entry': 'self',
  'POST /api/contact/email': 'self',
  'POST /api/email-verification': 'link',
  'GET /api/students': 'own',
  'POST /api/students': 'own',
  'PUT /api/students/:id': 'own',
  'DELETE /api/students/:id': 'own',
  'POST /api/students/claim': 'link',
  'GET /api/students/meal-marks': 'own',
  'GET /api/students/:id/health': 'own',
  'PUT /api/students/:id/health': 'own',
  'GET /api/students/:id/guardians': 'own',
  'POST /api/students/:id/guardians/invite': 'own',
  'DELETE /api/students/:id/guardians/invites/:inviteId': 'own',
  'DELETE /api/students/:id/guardians/:userId': 'own',
  'GET /api/guardian-invites': 'self',
  'GET /api/guardian-invites/:idOrCode': 'link',
  'POST /api/guardian-invites/:idOrCode/accept': 'link',
  'GET /api/orders': 'own',
  'POST /api/orders': 'own',
  'POST /api/orders/:id/absent': 'own',
  'POST /api/orders/:id/cancel': 'own',
  'POST /api/orders/:id/change': 'own',
  'POST /api/orders/:id/move': 'own',
  'GET /api/plan': 'self',
  'PUT /api/plan': 'own',
  'DELETE /api/plan': 'self',
  'POST /api/plan/pause': 'self',
  'POST /api/plan/skip': 'own',
  'POST /api/plan/order': 'self',
  'GET /api/discounts/my-discount-code': 'self',
  'GET /api/discounts/mine': 'self',
  'GET /api/credit': 'self',
  'GET /api/payments/open': 'self',
  'GET /api/refunds/own': 'self',
  'GET /api/receipts/:number': 'own',
  'GET /api/statement-of-account': 'own',
  'GET /api/statement-of-account/csv': 'own',
  'POST /api/payments/attempts/:id/prompt': 'own',
  'POST /api/payments/create': 'own',
  'POST /api/payments/payment-attempts': 'own',
  'POST /api/payments/payment-attempts/update': 'own',
  'POST /api/payments/verify/:transactionId': 'own',
  'POST /api/payments/push/:secret': 'link',
  'GET /.well-known/security.txt': 'school',
  'GET /api/portal': 'school',
  'GET /api/settings/refund-ways': 'school',
  'GET /api/privacy': 'school',
  'GET /api/menu': 'school',
  'GET /api/menu/:id': 'school',
  'GET /api/menu/portions': 'school',
  'GET /pictures/:name': 'link',
  'POST /api/menu-items/validate': 'school',
  'GET /api/order-cycles': 'school',
  'GET /api/settings/allergens': 'school',
  'GET /api/settings/allergy-rule': 'school',
  'GET /api/settings/communication': 'school',
  'GET /api/settings/cutoff-time': 'school',
  'GET /api/settings/cycle-length': 'school',
  'GET /api/settings/ordering-rules': 'school',
  'GET /api/settings/payment-bypass': 'school',
  'POST /sandbox/api/v6/': 'link',
  'POST /sandbox/api/v7/': 'link',
  'GET /sandbox/pay': 'link',
  'POST /sandbox/pay/:token': 'link',
  'GET /sandbox/phone/:number': 'school',
  'POST /sandbox/phone/:number': 'school',
  'GET /dev/mail': 'school',
  'GET /dev/mail/:name': 'school',
  'GET /dev/mail/:name/html': 'school',
}

const owners = {
  own: 'own family; others’ are not found',
  self: 'own account',
  school: 'the same for all',
  link: 'whoever holds the secret in it',
}

const mark = (may: boolean) => (may ? 'yes' : '')

const features = (access: Access): string => {
  if (access.kind === 'features') return access.features.map((name) => `\`${name}\``).join(' or ')
  if (access.kind === 'roles')
    return access.orFeature ? `\`${access.orFeature}\`` : mark(access.roles.includes('admin'))
  return 'yes'
}

const admits = (access: Access, role: 'parent' | 'teacher') =>
  access.kind === 'roles' ? access.roles.includes(role) : access.kind !== 'features'

/** True when parents or teachers may call a route, so that it matters whose things it gives. */
export const isForFamilies = ({ access }: RouteAccess) =>
  admits(access, 'parent') || admits(access, 'teacher')

/** The table of every route with who may call it, as docs/access.md holds it. */
export const accessTable = (routes: readonly RouteAccess[]): string[] => [
  '| Route | Nobody | Parent | Teacher | Administrator | Whose |',
  '|---|---|---|---|---|---|',
  ...routes.map((route) => {
    const { method, path, access } = route
    const cells = [
      `\`${method} ${path}\``,
      mark(access.kind === 'anyone'),
      mark(admits(access, 'parent')),
      mark(admits(access, 'teacher')),
      features(access),
      isForFamilies(route) ? owners[whose[`${method} ${path}`]!] : '',
    ]
    return `| ${cells.join(' | ')} |`
  }),
]
