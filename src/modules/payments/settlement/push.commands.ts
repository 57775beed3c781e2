import { attemptOfToken } from '../attempt/attempts.rows'
import { type PaymentsNeeds } from '../needs'
import { tokenOfPush } from '../providers/dpo-answers'
import { closePush, keepPush, waitingPushes, type WaitingPush } from './push-inbox.rows'
import { type VerifyAndSettle } from './verify-and-settle.commands'

export type PushNeeds = Pick<PaymentsNeeds, 'database' | 'log' | 'now'> & { settle: VerifyAndSettle }

// Our own token may not be in the books yet when its push comes (payments.md section 8 rule 8).
const unknownAfterMs = 10 * 60_000

/** Takes a push in: a doorbell, kept as it came and looked into afterwards. What it says is never believed. */
export const takePush =
  ({ database: { pool }, now }: PushNeeds) =>
  (raw: string): Promise<WaitingPush> =>
    keepPush(pool, { raw: raw.replaceAll('\0', ''), token: tokenOfPush(raw), at: now() })

/** Looks into every push that waits. Safe to run at any time. */
export const answerPushes = (needs: PushNeeds) => async (): Promise<void> => {
  for (const push of await waitingPushes(needs.database.pool)) await answerPush(needs)(push)
}

/** Asks the provider about the attempt that a push names; one that is not known yet is left for the sweep. */
export const answerPush =
  ({ database: { pool }, now, log, settle }: PushNeeds) =>
  async (push: WaitingPush): Promise<void> => {
    const attemptId = push.token && (await attemptOfToken(pool, push.token))
    if (attemptId) {
      await settle(attemptId, { source: 'push' }, { actor: 'job:answer-push', correlationId: push.id })
      await closePush(pool, push.id, 'done')
    } else if (now().getTime() - push.received_at.getTime() >= unknownAfterMs) {
      log.warn({ pushId: push.id }, 'a push names a payment that is not ours')
      await closePush(pool, push.id, 'unknown')
    }
  }
