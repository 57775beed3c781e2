import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where the link of a reminder leads: a page with one button. */
export const stopPath = '/stop'

// 96 bits: short enough for an SMS, too many to try.
const signatureLength = 16

const sign = (body: string, key: string) =>
  createHmac('sha256', key).update(`stop-reminders.${body}`).digest('base64url').slice(0, signatureLength)

/** The token of a user's link that stops reminders. It is good as long as its key is; all it can do is that. */
export const stopToken = (userId: number, keys: readonly string[]): string => {
  const body = userId.toString(36)
  return `${body}.${sign(body, keys[0]!)}`
}

/** Whose token it is; null where it was not made here. */
export const userOfStopToken = (token: string, keys: readonly string[]): number | null => {
  const [body = '', signature = '', ...rest] = token.split('.')
  const given = Buffer.from(signature)
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(sign(body, key))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return rest.length === 0 && isSigned ? Number.parseInt(body, 36) : null
}
