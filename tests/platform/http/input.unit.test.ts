import * as z from 'zod/mini'
import type { Refusal } from '#kernel/refusal'
import { callerKey, plainAddress } from '#platform/http/rate-limits'
import { anyone, onlyRoles, signedIn, anySignedIn, withOwnPassword, withFeature } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { refusalOf } from '#platform/http/sessions'
import { everyObjectHas } from '../../support/own-keys'
import { people } from './example-server'

const schema = z.object({
  name: z.string(),
  age: z.int(),
  code: z.string('Enter the code'),
  word: z.string().check(z.maxLength(2, 'At most 2')),
})
const fieldsOf = (input: unknown) => {
  try {
    return parseInput(schema, input)
  } catch (refused) {
    return (refused as Refusal).fields
  }
}

test('says the document’s words where a contract has none of its own', () => {
  expect(fieldsOf({ age: 'ten', word: 'abc' })).toEqual({
    name: 'Required',
    age: 'Invalid input',
    code: 'Enter the code',
    word: 'At most 2',
  })
})

test('answers what fits', () => {
  const fitting = { name: 'Bupe', age: 7, code: '1', word: 'ab' }
  expect(fieldsOf(fitting)).toEqual(fitting)
})

test.each(everyObjectHas.filter((name) => name !== '__proto__'))(
  'says what is wrong with a field that is called %s',
  (name) => {
    const strict = z.object({ [name]: z.int('A number') })
    const refusedFields = () => {
      try {
        return parseInput(strict, Object.fromEntries([[name, 'none']]))
      } catch (refused) {
        return Object.entries((refused as Refusal).fields!)
      }
    }
    expect(refusedFields()).toEqual([[name, 'A number']])
  },
)

const { parent, teacher, kitchenAdmin, superadmin, temporary, unprotected } = people
const temporaryAdmin = { ...superadmin, mustChangePassword: true }
const parentWithFeatures = { ...parent, features: ['kitchen'] }

test.each([
  ['anyone', anyone, null, null],
  ['anyone', anyone, temporary, null],
  ['whoever signed in', anySignedIn, null, 'not_signed_in'],
  ['whoever signed in', anySignedIn, temporary, null],
  ['who has chosen their password', withOwnPassword, temporary, 'password_change_required'],
  ['who has chosen their password', withOwnPassword, unprotected, null],
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

test.each([
  ['196.46.1.7', '196.46.1.7'],
  ['::ffff:196.46.1.7', '196.46.1.7'],
  ['2c0f:f8f0:1:2:aaaa:bbbb:cccc:dddd', '2c0f:f8f0:1:2::/64'],
  ['2c0f:f8f0:1:2::1', '2c0f:f8f0:1:2::/64'],
  ['2c0f:f8f0::1', '2c0f:f8f0:0:0::/64'],
  ['2c0f::', '2c0f:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the budget of %s is that of %s', (ip, key) => {
  expect(callerKey(ip)).toBe(key)
})

test('an IPv4 address in IPv6 dress is shown plainly', () => {
  expect(plainAddress('::ffff:127.0.0.1')).toBe('127.0.0.1')
  expect(plainAddress('::1')).toBe('::1')
})
