import { refuse } from '../refusals'

export const phoneCodeMinutes = 10
export const phoneCodeTries = 5

export type PhoneCode = { phone: string; triesLeft: number; expiresAt: Date }

/** Whether this code would be taken for the phone that the account has now. */
export const isInForce = (code: PhoneCode | undefined, phone: string | null, now: Date): code is PhoneCode =>
  code !== undefined && code.phone === phone && code.expiresAt > now && code.triesLeft > 0

/**
 * Whether a code may be looked at: one was asked for, for the phone that the account has now, in the last 10 minutes, and
 * not given wrong five times. Throws `phone_code_not_asked`, `phone_code_expired`.
 */
export const decideCodeInForce = (code: PhoneCode | undefined, phone: string | null, now: Date): void => {
  if (!code || code.phone !== phone) throw refuse('phone_code_not_asked', 'Please ask for a code first')
  if (!isInForce(code, phone, now))
    throw refuse('phone_code_expired', 'This code is no longer valid. Please ask for a new one')
}

/** What a wrong code is answered: at its field, as long as there is another try. */
export const wrongCode = (triesLeft: number) => {
  if (triesLeft <= 0) return refuse('phone_code_wrong', 'This code is not right. Please ask for a new one')
  const tries = triesLeft === 1 ? 'time' : 'times'
  const message = `This code is not right. You can try ${triesLeft} more ${tries}`
  return refuse('phone_code_wrong', message, { fields: { code: message } })
}
