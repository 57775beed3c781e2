import type { Pool } from 'pg'
import { attemptOfToken } from '../attempt/attempts.rows'
import { readXml, textOf, insideOf } from '../providers/dpo-xml'
import { closePush, keepPush, waitingPush, waitingPushes } from './push-inbox.rows'
import type { WaitingPush } from './push-inbox.rows'
import type { SettleNeeds, VerifyAndSettle } from './verify-and-settle.commands'

export type PushNeeds = Pick<SettleNeeds, 'now' | 'log'> & {
  database: { pool: Pool }
  settle: VerifyAndSettle
}

// Our own token may not be in the books yet when its push comes (payments.md section 8 rule 8).
const patienceMs = 10 * 60_000

const tokenPattern = /^[\w-]{1,100}$/

/** The token that a push names; null when it cannot be read. A document type is not read at all. */
export const tokenOfPush = (raw: string): string | null => {
  const read = readXml(raw)
  if (read.kind !== 'read') return null
  const root = insideOf(read.elements, 'API3G') ?? insideOf(read.elements, 'Response')
  const token = root && textOf(root, 'TransactionToken')?.trim()
  return token && tokenPattern.test(token) ? token : null
}

/** Takes a push in: a doorbell, kept as it came and looked into afterwards. What it says is never believed. */
export const takePush =
  ({ database: { pool }, now }: PushNeeds) =>
  (raw: string): Promise<string> =>
    keepPush(pool, { raw: raw.replaceAll('\0', ''), token: tokenOfPush(raw), at: now() })

/** Looks into every push that waits: asks the provider about each attempt that is known. Safe to run at any time. */
export const answerPushes = (needs: PushNeeds) => async (): Promise<void> => {
  for (const push of await waitingPushes(needs.database.pool)) await answer(needs, push)
}

/** The same for this push alone: where many come at once each is looked into once, and the provider asked once. */
export const answerPush =
  (needs: PushNeeds) =>
  async (id: string): Promise<void> => {
    const push = await waitingPush(needs.database.pool, id)
    if (push) await answer(needs, push)
  }

const answer = async (needs: PushNeeds, push: WaitingPush): Promise<void> => {
  const { database, now, log, settle } = needs
  const { pool } = database
  const attemptId = push.token && (await attemptOfToken(pool, push.token))
  if (attemptId) {
    await settle(attemptId, { source: 'push' }, { actor: 'job:answer-push', correlationId: push.id })
    await closePush(pool, push.id, { state: 'done', attemptId, at: now() })
  } else if (now().getTime() - push.received_at.getTime() >= patienceMs) {
    log.warn({ pushId: push.id }, 'a push names a payment that is not ours')
    await closePush(pool, push.id, { state: 'unknown', attemptId: null, at: now() })
  }
}
