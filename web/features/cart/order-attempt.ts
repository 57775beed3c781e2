import { CallError } from '../../lib/call'
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
const attemptFor = (userId: number, body: unknown): string => {
  const text = JSON.stringify(body)
  const before = stored(userId)
  if (before?.body === text) return before.key
  const key = freshKey()
  localStorage.setItem(attemptKey(userId), JSON.stringify({ key, body: text }))
  return key
}

/** Sends a body with the key of its attempt. Once it is answered the next sending is an attempt of its own. */
export const sendAttempt = async <Reply>(
  userId: number,
  body: unknown,
  send: (idempotencyKey: string) => Promise<Reply>,
): Promise<Reply> => {
  const key = attemptFor(userId, body)
  try {
    const reply = await send(key)
    localStorage.removeItem(attemptKey(userId))
    return reply
  } catch (error) {
    if (isAnswer(error)) localStorage.removeItem(attemptKey(userId))
    throw error
  }
}

// From 500 on only a refusal is an answer: what a fault or a proxy leaves behind, nobody knows.
const isAnswer = (error: unknown) =>
  error instanceof CallError &&
  (error.status < 500 || (error.code !== null && error.code !== 'internal_error'))
