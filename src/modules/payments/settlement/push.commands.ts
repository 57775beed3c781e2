import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { each } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { attemptOfToken } from '../attempt/references.rows'
import { tokenOfPush } from '../providers/dpo-answers'
import type { SettlingNeeds } from './settle.commands'

type Push = { id: string; token: string | null; received_at: Date }

const inbox = (knex: Knex) => knex('payments.push_inbox')

// The push may precede our record of the token (payments.md section 8 rule 8).
const unknownAfterMs = 10 * 60_000

/** Stored as it came; only a reason to ask the provider. */
export const takePush =
  ({ database: { knex }, now }: Ports) =>
  async (sent: string): Promise<Push> => {
    const raw = sent.replaceAll('\0', '')
    const push = { id: v7(), token: tokenOfPush(raw), received_at: now() }
    await inbox(knex).insert({ ...push, raw, state: push.token === null ? 'unreadable' : 'waiting' })
    return push
  }

/** Oldest first, at most 50. Repeatable. */
export const answerPushes = (needs: SettlingNeeds) => async (): Promise<void> => {
  const waiting: Push[] = await inbox(needs.database.knex)
    .where({ state: 'waiting' })
    .orderBy(['received_at', 'id'])
    .limit(50)
    .select('id', 'token', 'received_at')
  await each(waiting, answerPush(needs))
}

/** Unknown tokens wait for the sweep. */
export const answerPush =
  ({ database: { knex, reads }, now, log, settle }: SettlingNeeds) =>
  async ({ id, token, received_at: receivedAt }: Push): Promise<void> => {
    if (token === null) return
    const attemptId = await attemptOfToken(reads, token)
    const close = (state: 'done' | 'unknown') => inbox(knex).where({ id }).update({ state })
    if (attemptId) {
      await settle(attemptId, { source: 'push' }, { actor: 'job:answer-push', correlationId: id })
      await close('done')
    } else if (now().getTime() - receivedAt.getTime() >= unknownAfterMs) {
      log.warn({ pushId: id }, 'a push names a payment that is not ours')
      await close('unknown')
    }
  }

export const forgetPushesOf = async (knex: Knex, userId: number): Promise<void> => {
  const tokens = knex('payments.attempts').where({ user_id: userId }).whereNotNull('token').select('token')
  await inbox(knex).whereNot({ state: 'waiting' }).whereIn('token', tokens).update({ raw: '' })
}

const unreadablePushesKeptDays = 90

/** May concern money for an attempt lost with a disk: kept until its year is closed. Own pushes stay. */
const unknownPushesKeptDays = 400

export const paymentRetentions = ({ database: { pool }, now }: Ports): Retention[] => {
  const pushes = (state: 'unreadable' | 'unknown', days: number): Retention => ({
    name: `payments.push_inbox.${state}`,
    kept: `${days} days`,
    about: `Notices of the payment provider that ${state === 'unknown' ? 'name no payment of ours' : 'nobody can read'}`,
    remove: deleteUntil(
      pool,
      'payments.push_inbox',
      `state = '${state}' and received_at < $1`,
      () => new Date(now().getTime() - days * dayMs),
    ),
  })
  return [pushes('unreadable', unreadablePushesKeptDays), pushes('unknown', unknownPushesKeptDays)]
}
