import * as fc from 'fast-check'
import { newContactMail } from '#modules/identity/accounts/new-contact.commands'
import { verificationMail } from '#modules/identity/accounts/registration.commands'
import { temporaryPasswordMail } from '#modules/identity/sign-in/password-reset.commands'
import { areTied, decideGrant, decideParentOf } from '#modules/identity/users/account.decide'
import {
  decidePasswordChange,
  decideSignIn,
  openingHashes,
  passwordChosen,
  temporaryGoesTo,
  temporaryIssued,
  temporaryUsed,
  filled,
  profileChanges,
  usernameKey,
} from '#modules/identity/users/credentials.decide'
import { contactMail } from '#modules/messaging/letters'

const now = new Date('2026-09-16T07:00:00Z')
const issued = { passwordHash: 'old', ...temporaryIssued('temporary', now) }
const hoursLater = (hours: number) => new Date(now.getTime() + hours * 3_600_000)

describe('a temporary password', () => {
  test('opens the account beside the old one', () => {
    expect(openingHashes(issued, now)).toEqual({ password: 'old', temporary: 'temporary' })
  })

  test('is good until a moment before 24 hours have passed', () => {
    const lastMoment = new Date(hoursLater(24).getTime() - 1)
    expect(openingHashes(issued, lastMoment).temporary).toBe('temporary')
    expect(openingHashes(issued, hoursLater(24))).toEqual({ password: 'old', temporary: null })
  })

  test('once used is alone, and asks for a new password', () => {
    const used = { ...issued, ...temporaryUsed }
    expect(openingHashes(used, hoursLater(1))).toEqual({ password: null, temporary: 'temporary' })
    expect(used.mustChangePassword).toBe(true)
  })

  test('ends when its owner has chosen a new password', () => {
    const chosen = { ...issued, ...temporaryUsed, ...passwordChosen('new') }
    expect(openingHashes(chosen, now)).toEqual({ password: 'new', temporary: null })
    expect(chosen.mustChangePassword).toBe(false)
  })

  test('an account without one has none to match', () => {
    const plain = { passwordHash: 'old', temporaryHash: null, temporaryExpiresAt: null }
    expect(openingHashes(plain, now)).toEqual({ password: 'old', temporary: null })
  })
})

describe('signing in', () => {
  test('with the password', () => {
    expect(decideSignIn({ password: true, temporary: false })).toBe('password')
  })

  test('with the temporary password', () => {
    expect(decideSignIn({ password: false, temporary: true })).toBe('temporary')
  })

  test('with neither is refused', () => {
    expect(() => decideSignIn({ password: false, temporary: false })).toThrow(
      expect.objectContaining({ code: 'wrong_credentials', message: 'Invalid username or password' }),
    )
  })
})

describe('changing the password', () => {
  const passwords = { current: 'lunch-box', next: 'nshima-22' }

  test.each([
    { password: true, temporary: false },
    { password: false, temporary: true },
  ])('is allowed to who knows one that opens the account: %j', (matches) => {
    expect(() => decidePasswordChange(matches, passwords)).not.toThrow()
  })

  test('is refused to who does not', () => {
    expect(() => decidePasswordChange({ password: false, temporary: false }, passwords)).toThrow(
      expect.objectContaining({
        code: 'wrong_current_password',
        fields: { currentPassword: 'Current password is incorrect' },
      }),
    )
  })

  test('is refused when the new one is the current one', () => {
    expect(() =>
      decidePasswordChange({ password: false, temporary: true }, { current: 'same-one', next: 'same-one' }),
    ).toThrow(
      expect.objectContaining({ code: 'password_unchanged', fields: { newPassword: expect.any(String) } }),
    )
  })
})

describe('where a temporary password goes', () => {
  const account = {
    email: 'mwila@example.org',
    emailVerifiedAt: now,
    hadOtherEmail: false,
    phone: '0971 234 567',
    phoneVerifiedAt: now,
    disabledAt: null,
    deletedAt: null,
    temporaryExpiresAt: null,
  }
  const byMail = { channel: 'mail', to: 'mwila@example.org' }
  const bySms = { channel: 'sms', to: '+260971234567' }
  const noAddress = { email: null, emailVerifiedAt: null }
  const moved = { emailVerifiedAt: null, hadOtherEmail: true }

  test.each([
    ['a verified address', {}, byMail],
    ['the only address it ever had', { emailVerifiedAt: null }, byMail],
    ['without an address its verified phone', noAddress, bySms],
    ['with another address that nobody verified its verified phone', moved, bySms],
    ['no phone that nobody verified', { ...noAddress, phoneVerifiedAt: null }, null],
    ['no address that took the place of another and nobody verified', { ...moved, phone: null }, null],
    ['nobody whose account is blocked', { disabledAt: now }, null],
    ['nobody who is gone', { deletedAt: now }, null],
    [
      'nobody whom one was sent within five minutes',
      { temporaryExpiresAt: new Date(hoursLater(24).getTime() - 299_000) },
      null,
    ],
    [
      'somebody whom one was sent five minutes ago',
      { temporaryExpiresAt: new Date(hoursLater(24).getTime() - 300_000) },
      byMail,
    ],
  ])('%s', (_, difference, where) => {
    expect(temporaryGoesTo({ ...account, ...difference }, { sms: true }, now)).toEqual(where)
  })

  test('no phone where the school sends no SMS', () => {
    expect(temporaryGoesTo({ ...account, ...noAddress }, { sms: false }, now)).toBeNull()
  })
})

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

  test('with another email address is unverified again', () => {
    const changes = profileChanges(account, { name: account.name, email: 'new@example.com' })
    expect(changes).toEqual({
      ...account,
      email: 'new@example.com',
      emailVerifiedAt: null,
      hadOtherEmail: true,
    })
  })

  test('with the same email address stays verified', () => {
    expect(profileChanges(account, { ...account })).not.toHaveProperty('emailVerifiedAt')
  })
})

test('an empty field is none', () => {
  expect([filled(undefined), filled(''), filled('  '), filled(' x ')]).toEqual([null, null, null, 'x'])
})

const admin = (features: string[], isSuperadmin = false) => ({
  userId: 1,
  role: 'admin',
  features,
  isSuperadmin,
})
const parent = { userId: 7, role: 'parent', features: [], isSuperadmin: false }

describe('making an administrator', () => {
  test('one hands out what one holds, each feature once', () => {
    expect(decideGrant(admin(['menu', 'admins']), ['menu', 'menu'])).toEqual(['menu'])
  })

  test('nobody hands out a feature they lack', () => {
    expect(() => decideGrant(admin(['menu', 'admins']), ['menu', 'refunds', 'settings'])).toThrow(
      expect.objectContaining({
        code: 'feature_not_held',
        message: 'You cannot grant features you do not hold: refunds, settings',
      }),
    )
  })

  test('superadmin hands out everything', () => {
    expect(decideGrant(admin([], true), ['refunds', 'settings'])).toEqual(['refunds', 'settings'])
  })
})

describe('adding a student', () => {
  test('a parent adds to their own account whatever id was sent', () => {
    expect(decideParentOf(parent, undefined)).toBe(7)
    expect(decideParentOf(parent, 8)).toBe(7)
  })

  test('an administrator of parents names the parent', () => {
    expect(decideParentOf(admin(['parents_students']), 8)).toBe(8)
    expect(decideParentOf(admin([], true), 8)).toBe(8)
    expect(() => decideParentOf(admin(['parents_students']), undefined)).toThrow(
      expect.objectContaining({ code: 'parent_required' }),
    )
  })

  test.each([admin(['menu']), { ...parent, role: 'teacher' }])('others may not: %j', (asker) => {
    expect(() => decideParentOf(asker, 7)).toThrow(expect.objectContaining({ code: 'feature_required' }))
  })
})

describe('two administrators are not two persons for sure', () => {
  const [chief, bursar, clerk, cook, guest] = [1, 2, 3, 4, 5]
  const free = {
    madeBy: chief,
    passwordSetBy: null,
    featuresSetBy: null,
    secondFactorRemovedBy: null,
  }
  const office = (hands: Record<number, Partial<Record<keyof typeof free, number>>> = {}) =>
    [chief, bursar, clerk, cook, guest].map((id) => ({
      ...free,
      ...(id === chief && { madeBy: null }),
      ...hands[id],
      id,
      isSuperadmin: id === chief,
    }))
  const tied = (hands: Parameters<typeof office>[0], ...pairs: [number, number][]) =>
    pairs.map(([one, other]) => [areTied(one, other, office(hands)), areTied(other, one, office(hands))])
  const both = [true, true]

  test('though superadmin made both of their accounts', () =>
    expect(tied({}, [bursar, clerk])).toEqual([[false, false]]))
  test('one is nobody else', () => expect(areTied(bursar, bursar, office())).toBe(true))
  test('where one made the account of the other, superadmin too', () =>
    expect(tied({ [clerk]: { madeBy: bursar } }, [bursar, clerk], [chief, cook])).toEqual([both, both]))
  test.each(['passwordSetBy', 'featuresSetBy', 'secondFactorRemovedBy'])(
    'where one has the other’s %s',
    (what) =>
      expect(tied({ [clerk]: { [what]: bursar } }, [bursar, clerk], [bursar, cook])).toEqual([
        both,
        [false, false],
      ]),
  )
  test('where accounts stand between them', () => {
    const chain = { [clerk]: { madeBy: bursar }, [cook]: { featuresSetBy: clerk } }
    expect(tied(chain, [bursar, cook], [guest, cook])).toEqual([both, [false, false]])
  })
  test('where a third who is not superadmin made both, but not where it gave both their rights', () => {
    expect(tied({ [clerk]: { madeBy: bursar }, [cook]: { madeBy: bursar } }, [clerk, cook])).toEqual([both])
    const rights = { [clerk]: { featuresSetBy: bursar }, [cook]: { featuresSetBy: bursar } }
    expect(tied(rights, [clerk, cook])).toEqual([[false, false]])
  })
  test('where each set the rights of the other', () => {
    const ring = { [clerk]: { featuresSetBy: cook }, [cook]: { featuresSetBy: clerk } }
    expect(tied(ring, [clerk, cook], [clerk, guest])).toEqual([both, [false, false]])
  })
})

const schoolName = 'Baobab School'
const mwila = { name: 'Mwila Banda', username: 'mwila', emailVerifiedAt: new Date('2026-09-01T08:00:00Z') }

test('the verification mail carries the link and how long it lasts', () => {
  const mail = verificationMail({
    to: 'mwila@example.com',
    link: 'https://lunch.example.com/verify-email?token=x.y',
    hours: 72,
    schoolName,
  })
  expect(mail.to).toBe('mwila@example.com')
  expect(mail.subject).toBe('Please confirm your email address for Baobab School')
  expect(mail.text).toMatch(/^Good day,\n/)
  expect(mail.text).toContain('\nhttps://lunch.example.com/verify-email?token=x.y\n')
  expect(mail.text).toContain('within 72 hours')
  expect(mail.text).toMatch(/Kind regards,\nBaobab School\n$/)
})

test('the temporary password mail says which account, which password and what then', () => {
  const mail = temporaryPasswordMail({
    to: 'mwila@example.com',
    recipient: mwila,
    password: 'k7fq-m2xw-9hte',
    hours: 24,
    publicUrl: 'https://lunch.example.com',
    schoolName,
  })
  expect(mail.subject).not.toContain('k7fq')
  expect(mail.text).toContain('Dear Mwila Banda,')
  expect(mail.text).toContain('Username: mwila\nTemporary password: k7fq-m2xw-9hte')
  expect(mail.text).toContain('Log in with it at https://lunch.example.com within 24 hours')
})

test('an address that was not verified gets no name and no username', () => {
  const about = { to: 'victim@example.com', recipient: { ...mwila, emailVerifiedAt: null }, schoolName }
  const publicUrl = 'https://lunch.example.com'
  const mails = [
    temporaryPasswordMail({ ...about, password: 'k7fq-m2xw-9hte', hours: 24, publicUrl }),
    newContactMail({ ...about, what: 'phone number', by: 'owner', publicUrl }),
  ]
  for (const { subject, text } of mails) {
    expect(`${subject}\n${text}`).not.toMatch(/mwila/i)
    expect(text).toMatch(/^Good day,\n/)
  }
  expect(mails[0]!.text).toContain('\n\nTemporary password: k7fq-m2xw-9hte\n\n')
})

test('a contact mail is answered to its sender, and a name cannot add lines to its header', () => {
  const mail = contactMail({
    to: 'office@example.com',
    username: 'mwila',
    from: { name: 'Mwila\r\nBcc: x', email: 'mwila@example.com', message: 'Is there soup on Friday?' },
    schoolName,
  })
  expect(mail).toMatchObject({ to: 'office@example.com', replyTo: 'mwila@example.com' })
  expect(mail.subject).toBe('Message from Mwila Bcc: x to Baobab School')
  expect(mail.text).toContain('(username mwila, mwila@example.com) wrote:\n\nIs there soup on Friday?\n')
})
