import { passwordConfirmationMessage } from '#contracts/identity'
import { isBlankName } from '#kernel/folded-name'
import { forAnyAddress } from '#kernel/meal-line'
import { smsNumber, type Channel, type SmsRule } from '#modules/messaging/published'
import { refuse } from '../refusals'
import type { Account } from './account.decide'

export type Credentials = {
  passwordHash: string | null
  temporaryHash: string | null
  temporaryExpiresAt: Date | null
  mustChangePassword?: boolean
}

export const temporaryPasswordHours = 24

/** Expired temporary passwords are left out. */
export const openingHashes = (credentials: Credentials, now: Date) => ({
  password: credentials.passwordHash,
  temporary:
    credentials.temporaryExpiresAt !== null && now < credentials.temporaryExpiresAt
      ? credentials.temporaryHash
      : null,
})

/** `isOldForm`: hashed in another Unicode form. */
export type Matches = { password: boolean; temporary: boolean; isOldForm?: boolean }

/** The same refusal for unknown users and wrong passwords. */
export const decideSignIn = (matches: Matches): 'password' | 'temporary' => {
  if (matches.password) return 'password'
  if (matches.temporary) return 'temporary'
  throw refuse('wrong_credentials', 'Invalid username or password')
}

const temporaryMs = temporaryPasswordHours * 3_600_000
const onItsWayMs = 5 * 60_000

/** The verified or only address, else the verified phone while SMS are on. Null: nowhere, or within five minutes of the last. */
export const temporaryGoesTo = (
  account: Pick<
    Account,
    'email' | 'emailVerifiedAt' | 'hadOtherEmail' | 'phone' | 'phoneVerifiedAt' | 'disabledAt' | 'deletedAt'
  > &
    Pick<Credentials, 'temporaryExpiresAt'>,
  settings: SmsRule,
  now: Date,
): { channel: Channel; to: string } | null => {
  const { email, emailVerifiedAt, hadOtherEmail, disabledAt, deletedAt, temporaryExpiresAt } = account
  if (disabledAt !== null || deletedAt !== null) return null
  const issuedAt = temporaryExpiresAt === null ? -Infinity : temporaryExpiresAt.getTime() - temporaryMs
  if (now.getTime() - issuedAt < onItsWayMs) return null
  if (email !== null && (emailVerifiedAt !== null || !hadOtherEmail)) return { channel: 'mail', to: email }
  const number = smsNumber(account, settings)
  return number === null ? null : { channel: 'sms', to: number }
}

/** Valid for 24 hours beside the password. */
export const temporaryIssued = (hash: string, now: Date) => ({
  temporaryHash: hash,
  temporaryExpiresAt: new Date(now.getTime() + temporaryMs),
})

/** Ends the old password. Stays valid until it expires: a lost connection must not lock its owner out. */
export const temporaryUsed = { passwordHash: null, mustChangePassword: true } as const

/** Administrators need more than the spec's six characters. */
const minAdministratorPasswordLength = 10

/** Throws `password_too_short` and `password_too_common` at `field`. */
export const decideNewPassword = (
  password: string,
  about: { role: Account['role']; isCommon: boolean; field: 'password' | 'newPassword' },
): void => {
  const tooShort = `An administrator's password must be at least ${minAdministratorPasswordLength} characters`
  if (about.role === 'admin' && password.length < minAdministratorPasswordLength)
    throw refuse('password_too_short', tooShort, { fields: { [about.field]: tooShort } })
  const tooCommon = 'This password is one of the most common ones. Please choose another.'
  if (about.isCommon) throw refuse('password_too_common', tooCommon, { fields: { [about.field]: tooCommon } })
}

export const passwordChosen = (hash: string) => ({
  passwordHash: hash,
  temporaryHash: null,
  temporaryExpiresAt: null,
  mustChangePassword: false,
})

/** By somebody else, who knows it: to be changed at the first use. */
export const passwordGiven = (hash: string) => ({ ...passwordChosen(hash), mustChangePassword: true })

export const givenPasswordMessage = forAnyAddress({
  subject: 'The school has set a new password for your account',
  text:
    'The school office has set a new password for your account: your old one no longer works. Ask the office for it, and ' +
    'choose your own when you log in. If you did not ask for this, tell the school at once.',
  short: 'A new password was set for your account by the school. If you did not ask for it, tell the school.',
})

const notConfirmed = passwordConfirmationMessage

export const currentPasswordRequired = () =>
  refuse('wrong_current_password', notConfirmed, {
    fields: { currentPassword: 'Current password is required' },
  })

/** Protects against borrowed sessions. */
export const decidePasswordConfirmed = (matches: Matches): void => {
  if (!matches.password && !matches.temporary)
    throw refuse('wrong_current_password', notConfirmed, { fields: { currentPassword: notConfirmed } })
}

const unchanged = () => {
  const message = 'Choose a password that differs from the current one'
  return refuse('password_unchanged', message, { fields: { newPassword: message } })
}

/** Needs the current password and a different new one. */
export const decidePasswordChange = (
  matches: Matches,
  passwords: { current: string; next: string },
): void => {
  if (!matches.password && !matches.temporary)
    throw refuse('wrong_current_password', 'Current password is incorrect', {
      fields: { currentPassword: 'Current password is incorrect' },
    })
  if (passwords.current.normalize('NFC') === passwords.next.normalize('NFC')) throw unchanged()
}

/** Of the new password, where the current one was typed to sign in. */
export const decideOtherPassword = (matches: Matches): void => {
  if (matches.password || matches.temporary) throw unchanged()
}

const scripts = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Arabic',
  'Hebrew',
  'Ethiopic',
  'Devanagari',
  'Bengali',
  'Gujarati',
  'Gurmukhi',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Armenian',
  'Georgian',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
]
const ofOneScript = scripts.map((script) => new RegExp(`^[\\p{Script=${script}}\\p{M}0-9._@-]+$`, 'u'))

const notAllowed = 'Use letters of one alphabet, digits and . - _ @'
const taken = 'This username is already taken'

/** `looksLikeAdministrator` counts as taken. */
export const decideUsername = (username: string, looksLikeAdministrator: boolean): void => {
  const normal = username.normalize('NFKC')
  const isUnseen = isBlankName(normal) || /[\u115f\u1160]/.test(normal)
  if (isUnseen || !ofOneScript.some((pattern) => pattern.test(normal)))
    throw refuse('username_not_allowed', notAllowed, { fields: { username: notAllowed } })
  if (looksLikeAdministrator) throw refuse('username_taken', taken, { fields: { username: taken } })
}

/** Case-insensitive, one Unicode form. */
export const usernameKey = (username: string): string =>
  username.normalize('NFKC').toLowerCase().normalize('NFKC').trim()

export const filled = (text: string | undefined): string | null => text?.trim() || null

type Contact = { name: string; email: string | null; phone: string | null }

/** Absent keeps, empty clears; a changed email or phone becomes unverified. */
export const profileChanges = (
  account: Contact,
  form: { name: string; email?: string; phone?: string },
): Contact & { emailVerifiedAt?: null; phoneVerifiedAt?: null; hadOtherEmail?: true } => {
  const email = form.email === undefined ? account.email : filled(form.email)
  const phone = form.phone === undefined ? account.phone : filled(form.phone)
  const moved = email !== account.email
  return {
    name: form.name,
    email,
    phone,
    ...(moved && { emailVerifiedAt: null }),
    ...(phone !== account.phone && { phoneVerifiedAt: null }),
    ...(moved && account.email !== null && { hadOtherEmail: true as const }),
  }
}

export const phoneCodeMinutes = 10
export const phoneCodeTries = 5

export type PhoneCode = { phone: string; triesLeft: number; expiresAt: Date }

export const isInForce = (code: PhoneCode | undefined, phone: string | null, now: Date): code is PhoneCode =>
  code !== undefined && code.phone === phone && code.expiresAt > now && code.triesLeft > 0

/** Valid 10 minutes for the present phone and five wrong tries. Throws `phone_code_not_asked`, `phone_code_expired`. */
export const decideCodeInForce = (code: PhoneCode | undefined, phone: string | null, now: Date): void => {
  if (!code || code.phone !== phone) throw refuse('phone_code_not_asked', 'Please ask for a code first')
  if (!isInForce(code, phone, now))
    throw refuse('phone_code_expired', 'This code is no longer valid. Please ask for a new one')
}

export const wrongCode = (triesLeft: number) => {
  if (triesLeft <= 0) return refuse('phone_code_wrong', 'This code is wrong. Please ask for a new one')
  const tries = triesLeft === 1 ? 'time' : 'times'
  const message = `This code is not right. You can try ${triesLeft} more ${tries}`
  return refuse('phone_code_wrong', message, { fields: { code: message } })
}
