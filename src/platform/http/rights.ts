import type { Middleware } from 'koa'
import type { Refusal } from '#kernel/refusal'
import { httpRefusal, type HttpRefusal } from './error-replies'
import { stateOf } from './request'
import type { Access, Principal } from './route'

export const admits =
  (access: Access): Middleware =>
  (context, next) => {
    const refusal = refusalOf(access, stateOf(context).principal)
    if (refusal) throw refusal
    return next()
  }

/** Null when access is granted; handlers check ownership. */
export const refusalOf = (access: Access, principal: Principal | null): Refusal<HttpRefusal> | null => {
  if (access.kind === 'anyone') return null
  if (!principal) return httpRefusal('not_signed_in', 'Please log in')
  if (access.kind === 'whoever-signed-in') return null
  if (principal.mustChangePassword)
    return httpRefusal('password_change_required', 'Please change your temporary password first')
  if (principal.mustSetUpSecondFactor)
    return httpRefusal('second_factor_setup_required', 'Please set up your second factor first')
  if (!isAdmitted(access, principal)) return httpRefusal('forbidden', 'You do not have permission to do this')
  return null
}

const isAdmitted = (
  access: Exclude<Access, { kind: 'anyone' | 'whoever-signed-in' }>,
  principal: Principal,
) => {
  switch (access.kind) {
    case 'signed-in':
      return true
    case 'roles':
      return (
        access.roles.includes(principal.role) ||
        (access.orFeature !== undefined && holdsOne([access.orFeature], principal))
      )
    case 'features':
      return holdsOne(access.features, principal)
  }
}

const holdsOne = (features: readonly string[], principal: Principal) =>
  principal.role === 'admin' &&
  (principal.isSuperadmin || features.some((feature) => principal.features.includes(feature)))
