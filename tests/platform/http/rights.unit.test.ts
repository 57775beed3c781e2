import { refusalOf } from '#platform/http/sessions'
import { anyone, onlyRoles, signedIn, anySignedIn, withFeature } from '#platform/http/route'
import { people } from './example-server'

const { parent, teacher, kitchenAdmin, superadmin, temporary } = people
const temporaryAdmin = { ...superadmin, mustChangePassword: true }
const parentWithFeatures = { ...parent, features: ['kitchen'] }

test.each([
  ['anyone', anyone, null, null],
  ['anyone', anyone, temporary, null],
  ['whoever signed in', anySignedIn, null, 'not_signed_in'],
  ['whoever signed in', anySignedIn, temporary, null],
  ['signed in', signedIn, null, 'not_signed_in'],
  ['signed in', signedIn, parent, null],
  ['signed in', signedIn, temporary, 'password_change_required'],
  ['parents and teachers', onlyRoles('parent', 'teacher'), teacher, null],
  ['parents and teachers', onlyRoles('parent', 'teacher'), superadmin, 'forbidden'],
  ['parents and teachers', onlyRoles('parent', 'teacher'), null, 'not_signed_in'],
  ['kitchen or history', withFeature('kitchen', 'history'), kitchenAdmin, null],
  ['menu', withFeature('menu'), kitchenAdmin, 'forbidden'],
  ['menu', withFeature('menu'), superadmin, null],
  ['menu', withFeature('menu'), null, 'not_signed_in'],
  ['menu', withFeature('menu'), temporaryAdmin, 'password_change_required'],
  ['kitchen', withFeature('kitchen'), parentWithFeatures, 'forbidden'],
])('a route for %s (%j), asked by %j: %s', (_name, access, principal, code) => {
  expect(refusalOf(access, principal)?.code ?? null).toBe(code)
})
