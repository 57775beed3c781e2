import type { RouteAccess } from './described-access'
import type { Access, Principal } from '#platform/http/route'
import type { Exchange } from './http-exchange'

/** Somebody who tries every door; null is a stranger. `cookie` signs them in afresh, for doors that sign them out. */
export type Visitor = {
  name: string
  principal: Pick<
    Principal,
    'role' | 'features' | 'isSuperadmin' | 'mustChangePassword' | 'mustSetUpSecondFactor'
  > | null
  cookie: () => Promise<string>
}

const doors = [
  'not_signed_in',
  'forbidden',
  'password_change_required',
  'second_factor_setup_required',
] as const
export type Verdict = 'admitted' | (typeof doors)[number]

export type AccessCase = { method: string; path: string; visitor: Visitor; expected: Verdict }

/** Every route with every visitor, and what the rights part of the answer must be. */
export const accessCases = (routes: readonly RouteAccess[], visitors: readonly Visitor[]): AccessCase[] =>
  routes.flatMap(({ method, path, access }) =>
    visitors.map((visitor) => ({ method, path, visitor, expected: expectedFor(access, visitor.principal) })),
  )

// Told here in other words than the server's, so that the walk can find the server wrong.
const expectedFor = (access: Access, principal: Visitor['principal']): Verdict => {
  const open = access.kind === 'anyone'
  if (principal === null) return open ? 'admitted' : 'not_signed_in'
  if (principal.mustChangePassword && !open && access.kind !== 'whoever-signed-in')
    return 'password_change_required'
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
