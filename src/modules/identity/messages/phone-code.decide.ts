import { refuse } from '../refusals'

export const phoneCodeMinutes = 10
export const phoneCodeTries = 5

export type PhoneCode = { phone: string; triesLeft: number; expiresAt: Date }

/**
 * Whether a code may be looked at: one was asked for, for the phone that the account has now, in the last 10 minutes, and
 * not given wrong five times. Throws `phone_code_not_asked`, `phone_code_expired`.
 */
export const decideCodeInForce = (code: PhoneCode | undefined, phone: string | null, now: Date): void => {
  if (!code || code.phone !== phone) throw refuse('phone_code_not_asked', 'Please ask for a code first')
  if (code.expiresAt <= now || code.triesLeft <= 0)
    throw refuse('phone_code_expired', 'This code is no longer valid. Please ask for a new one')
}

/** What a wrong code is answered. */
export const wrongCode = (triesLeft: number) =>
  refuse(
    'phone_code_wrong',
    triesLeft > 0
      ? `This code is not right. You can try ${triesLeft} more ${triesLeft === 1 ? 'time' : 'times'}`
      : 'This code is not right. Please ask for a new one',
    { fields: { code: 'This code is not right' } },
  )
