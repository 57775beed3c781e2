import * as fc from 'fast-check'
import { filled, profileChanges, usernameKey } from '#modules/identity/accounts/credentials.decide'

fc.configureGlobal({ seed: 20260914 })

const account = { name: 'Mwila Banda', email: 'mwila@example.com', phone: '+260 97 1000000' }

describe('a username', () => {
  test.each([
    ['Mwila', 'mWILA'],
    [' mwila ', 'mwila'],
    ['ÉLODIE', 'élodie'],
    ['ＭＷＩＬＡ', 'mwila'],
    ['E\u0301lodie', '\u00c9lodie'],
  ])('%s is the same user as %s', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other))
  })

  test('another name is another user', () => {
    expect(usernameKey('mwila1')).not.toBe(usernameKey('mwila2'))
  })

  test('its key is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (name) => {
        const key = usernameKey(name)
        return usernameKey(key) === key
      }),
    )
  })
})

describe('a saved profile', () => {
  test('keeps what was not sent and stays verified', () => {
    expect(profileChanges(account, { name: 'Mwila B.' })).toEqual({ ...account, name: 'Mwila B.' })
  })

  test('clears what was sent empty', () => {
    expect(profileChanges(account, { name: account.name, email: '', phone: ' ' })).toEqual({
      name: account.name,
      email: null,
      phone: null,
      phoneVerifiedAt: null,
      hadOtherEmail: true,
      emailVerifiedAt: null,
    })
  })

  test('with another e-mail address is unverified again', () => {
    const changes = profileChanges(account, { name: account.name, email: 'new@example.com' })
    expect(changes).toEqual({
      ...account,
      email: 'new@example.com',
      emailVerifiedAt: null,
      hadOtherEmail: true,
    })
  })

  test('with the same e-mail address stays verified', () => {
    expect(profileChanges(account, { ...account })).not.toHaveProperty('emailVerifiedAt')
  })
})

test('an empty field is none', () => {
  expect([filled(undefined), filled(''), filled('  '), filled(' x ')]).toEqual([null, null, null, 'x'])
})
