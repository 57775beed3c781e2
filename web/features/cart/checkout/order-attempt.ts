import { CallError } from '../../../lib/call'
import { freshKey } from '../../../lib/fresh-key'
import { attemptKey } from '../cart-store'

type Attempt = { key: string; body: string; at: number }

// Later the same week and day may be those of another cycle.
const answerableMs = 24 * 3_600_000
const brokeAtOnceMs = 5000

/** The sending of this user's cart, as it stands, that nobody has answered yet. */
const stored = (userId: number): Attempt | null => {
  try {
    const attempt = JSON.parse(localStorage.getItem(attemptKey(userId)) ?? 'null') as Attempt | null
    return attempt && Date.now() - attempt.at < answerableMs ? attempt : null
  } catch {
    return null
  }
}

/** Whether this cart was sent from this device, maybe before a reload, and nobody knows what became of it. */
export const isWaitingForAnswer = (userId: number): boolean => stored(userId) !== null

/** Whether it was this body that was sent and not answered. */
export const isUnansweredBody = (userId: number, body: unknown): boolean =>
  stored(userId)?.body === JSON.stringify(body)

/**
 * The Idempotency-Key for sending this body: the same one until an answer arrived, also after a reload, so that a
 * repeated attempt on a bad network never orders twice. Another body is another attempt, and so is a changed cart.
 */
const attemptFor = (userId: number, body: unknown): string => {
  const text = JSON.stringify(body)
  const before = stored(userId)
  if (before?.body === text) return before.key
  const key = freshKey()
  localStorage.setItem(attemptKey(userId), JSON.stringify({ key, body: text, at: Date.now() }))
  return key
}

/**
 * Sends a body with the key of its attempt, once more when the connection breaks at once. Once it is answered the next
 * sending is an attempt of its own.
 */
export const sendAttempt = async <Reply>(
  userId: number,
  body: unknown,
  send: (idempotencyKey: string) => Promise<Reply>,
): Promise<Reply> => {
  const key = attemptFor(userId, body)
  const sentAt = Date.now()
  try {
    const reply = await send(key).catch((error: unknown) => {
      if (error instanceof TypeError && Date.now() - sentAt < brokeAtOnceMs) return send(key)
      throw error
    })
    localStorage.removeItem(attemptKey(userId))
    return reply
  } catch (error) {
    if (isAnswer(error)) localStorage.removeItem(attemptKey(userId))
    throw error
  }
}

/** From 500 on only a refusal is an answer: what a fault, an outage or a proxy leaves behind, nobody knows. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.status < 500 || !['internal_error', 'unavailable', null].includes(error.code))
