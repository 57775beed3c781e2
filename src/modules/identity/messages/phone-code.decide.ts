import { refuse } from '../refusals'

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
  if (triesLeft <= 0) return refuse('phone_code_wrong', 'This code is not right. Please ask for a new one')
  const tries = triesLeft === 1 ? 'time' : 'times'
  const message = `This code is not right. You can try ${triesLeft} more ${tries}`
  return refuse('phone_code_wrong', message, { fields: { code: message } })
}
