import { freshKey } from '../../lib/fresh-key'
import { cartKey } from './cart-store'

type Attempt = { key: string; body: string }

const attemptKey = (userId: number) => `${cartKey(userId)}-attempt`

const stored = (userId: number): Attempt | null => {
  try {
    return JSON.parse(localStorage.getItem(attemptKey(userId)) ?? 'null') as Attempt | null
  } catch {
    return null
  }
}

/**
 * The Idempotency-Key for sending this body: the same one until an answer arrived, also after a reload, so that a
 * repeated attempt on a bad network never orders twice. Another body is another attempt.
 */
export const attemptFor = (userId: number, body: unknown): string => {
  const text = JSON.stringify(body)
  const before = stored(userId)
  if (before?.body === text) return before.key
  const key = freshKey()
  localStorage.setItem(attemptKey(userId), JSON.stringify({ key, body: text }))
  return key
}

/** An answer arrived: the next attempt is a new one. */
export const attemptAnswered = (userId: number): void => localStorage.removeItem(attemptKey(userId))
