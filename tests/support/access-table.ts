import type { RouteAccess } from './described-access'
import type { Access } from '#platform/http/route'
import { whose } from './ownership'

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
