import {
  convertToTeacher,
  createAdmin,
  featureNames,
  login,
  register,
  type FeatureName,
} from '#contracts/identity'
import type { Access } from '#platform/http/route'
import { clientOf } from '../../src/app/demo/client'
import { cookiesFrom, exchange } from '../support/http-exchange'
import { type School, superadminPassword } from '../support/school'

export type Role = 'nobody' | 'parent' | 'teacher' | 'superadmin' | FeatureName

const allRoles: Role[] = ['nobody', 'parent', 'teacher', 'superadmin', ...featureNames]

const password = 'fuzz-password'

export type Account = { username: string; password: string }

/**
 * One person of every role, who comes back whatever a call did to them: signed out they sign in again, deleted or
 * with another password they open a new account. `first` are accounts that are there already.
 */
export const people = (school: Pick<School, 'url' | 'superadmin'>, first: Partial<Record<Role, Account>>) => {
  const cookies = new Map<Role, Promise<string>>()
  let accounts = 0

  const signIn = async (account?: Account): Promise<string> =>
    account === undefined
      ? ''
      : cookiesFrom(await exchange(school.url, login.path, { method: 'POST', body: account }))

  const joinAs = async (role: Role): Promise<string> => {
    if (role === 'nobody') return ''
    if (role === 'superadmin') return signIn({ username: 'superadmin', password: superadminPassword })
    const given = await signIn(first[role])
    if (given !== '') return given
    accounts += 1
    const username = `fuzz.${role}.${accounts}`
    if (role === 'parent' || role === 'teacher') {
      const client = clientOf(school.url)
      await client.call(register, { body: { username, password, name: username } })
      if (role === 'teacher') await client.call(convertToTeacher)
    } else {
      const office = await school.superadmin()
      await office.call(createAdmin, { body: { username, password, allowedFeatures: [role] } })
    }
    return signIn({ username, password })
  }

  return {
    cookieOf: (role: Role): Promise<string> => {
      const known = cookies.get(role) ?? joinAs(role).then((cookie) => checked(role, cookie))
      cookies.set(role, known)
      return known
    },
    /** This session is over: the next call signs in anew. */
    forget: (role: Role, session: Promise<string>) => {
      if (cookies.get(role) === session) cookies.delete(role)
    },
  }
}

const checked = (role: Role, cookie: string) => {
  if (cookie === '' && role !== 'nobody') throw new Error(`${role} cannot sign in any more`)
  return cookie
}

/** Who a route is for, at least two of them strangers to it as well. */
export const rolesFor = (access: Access): { admitted: Role[]; others: Role[] } => {
  const admitted = allRoles.filter((role) => admits(access, role))
  return { admitted, others: allRoles.filter((role) => !admitted.includes(role)) }
}

const admits = (access: Access, role: Role): boolean => {
  if (access.kind === 'anyone') return true
  if (role === 'nobody') return false
  if (access.kind === 'roles')
    return (
      access.roles.some((one) => one === (role === 'parent' || role === 'teacher' ? role : 'admin')) ||
      (access.orFeature !== undefined && (role === 'superadmin' || role === access.orFeature))
    )
  if (access.kind === 'features') return role === 'superadmin' || access.features.includes(role)
  return true
}
