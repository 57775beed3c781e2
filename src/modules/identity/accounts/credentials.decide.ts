import { passwordConfirmationMessage } from '#contracts/identity'
import { smsNumber, type Channel, type SmsRule } from '#modules/messaging/published'
import { refuse } from '../refusals'
import type { Account } from './account'

/** What opens an account: a password, and beside it perhaps a temporary one that was sent to its owner. */
export type Credentials = {
  passwordHash: string | null
  temporaryHash: string | null
  temporaryExpiresAt: Date | null
  /** The password was generated, as superadmin's first is. */
  mustChangePassword?: boolean
}

export const temporaryPasswordHours = 24

/** The hashes that a password may match at `now`: an expired temporary password opens nothing. */
export const openingHashes = (credentials: Credentials, now: Date) => ({
  password: credentials.passwordHash,
  temporary:
    credentials.temporaryExpiresAt !== null && now < credentials.temporaryExpiresAt
      ? credentials.temporaryHash
      : null,
})

/** Which of the two hashes the given password matched; `isOldForm`: one that was made of another Unicode form. */
export type Matches = { password: boolean; temporary: boolean; isOldForm?: boolean }

/** How the account is opened; an unknown user and a wrong password are refused in the same words. */
export const decideSignIn = (matches: Matches): 'password' | 'temporary' => {
  if (matches.password) return 'password'
  if (matches.temporary) return 'temporary'
  throw refuse('wrong_credentials', 'Invalid username or password')
}

const temporaryMs = temporaryPasswordHours * 3_600_000
/** For so long a temporary password is on its way: another one would void it. */
const onItsWayMs = 5 * 60_000

/**
 * Where a temporary password for this account goes: to its address, one that was verified or the only one it ever had;
 * without such a one to its verified phone, while the school sends SMS. Null: nowhere, or not within five minutes of the
 * last.
 */
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

/** A temporary password beside the one in force, from `now` for 24 hours. */
export const temporaryIssued = (hash: string, now: Date) => ({
  temporaryHash: hash,
  temporaryExpiresAt: new Date(now.getTime() + temporaryMs),
})

/**
 * Using the temporary password ends the old one. The temporary one keeps opening the account until it expires, so
 * that a lost connection does not lock its owner out before the new password is chosen.
 */
export const temporaryUsed = { passwordHash: null, mustChangePassword: true } as const

/** Who runs the console needs a longer password; a parent's or teacher's has at least the document's six characters. */
const minAdministratorPasswordLength = 10

/**
 * May this be somebody's new password? Refuses with `password_too_short` and `password_too_common`, beside the form's
 * `field`.
 */
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

/** The credentials after its owner chose a new password. */
export const passwordChosen = (hash: string) => ({
  passwordHash: hash,
  temporaryHash: null,
  temporaryExpiresAt: null,
  mustChangePassword: false,
})

const notConfirmed = passwordConfirmationMessage

/** An e-mail address or phone that changes asks for the password in force first. */
export const currentPasswordRequired = () =>
  refuse('wrong_current_password', notConfirmed, {
    fields: { currentPassword: 'Current password is required' },
  })

/** May the e-mail address or the phone be changed? Asks for the password in force, so that a borrowed session cannot. */
export const decidePasswordConfirmed = (matches: Matches): void => {
  if (!matches.password && !matches.temporary)
    throw refuse('wrong_current_password', notConfirmed, { fields: { currentPassword: notConfirmed } })
}

const unchanged = 'Choose a password that differs from the current one'

/** May the password be changed? Asks for the one in force and for a different new one. */
export const decidePasswordChange = (
  matches: Matches,
  passwords: { current: string; next: string },
): void => {
  if (!matches.password && !matches.temporary)
    throw refuse('wrong_current_password', 'Current password is incorrect', {
      fields: { currentPassword: 'Current password is incorrect' },
    })
  if (passwords.current.normalize('NFC') === passwords.next.normalize('NFC'))
    throw refuse('password_unchanged', unchanged, { fields: { newPassword: unchanged } })
}
