import {
  decidePasswordChange,
  decideSignIn,
  openingHashes,
  passwordChosen,
  temporaryGoesTo,
  temporaryIssued,
  temporaryUsed,
} from '#modules/identity/accounts/credentials.decide'

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
