import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { refusal } from '../refusals'

/** An order of an act, whose it is, what of it is owed, in ngwee, and its item before the act. */
export type ActOrder = { id: string; userId: number; owed: number; item: string }
export type Skipped = { orderId: string; code: string; message: string }
/** What an act is going to do; what cannot be done is known before. */
export type ActPlan = { orders: readonly ActOrder[]; skipped: readonly Skipped[] }

type ActRow<Reply> = { id: string; request: string; plan: ActPlan; reply: Reply | null }

const acts = (knex: Knex) => knex('ordering.order_acts')

const actOf = async <Reply>(knex: Knex, requestKey: string | null): Promise<ActRow<Reply> | undefined> =>
  requestKey === null ? undefined : acts(knex).where({ request_key: requestKey }).first()

type Asked = { request: unknown; idempotencyKey: string | null; by: By; at: Date }

/**
 * Plans an act on many orders and carries it out. The same key of the same person answers what it did the first time, or
 * carries on where a crash cut it off; with another request it is `idempotency_key_reused`.
 */
export const actOnce = async <Reply extends object>(
  knex: Knex,
  { request, idempotencyKey, by, at }: Asked,
  plan: () => Promise<{ plan: ActPlan; change: Change }>,
  carryOut: (actId: string, plan: ActPlan) => Promise<Reply>,
): Promise<Reply> => {
  const requestKey = idempotencyKey === null ? null : `${by.actor} ${idempotencyKey}`
  const text = JSON.stringify(request)
  let act = await actOf<Reply>(knex, requestKey)
  if (!act) {
    const planned = await plan()
    await knex.transaction(async (transaction) => {
      const row = { id: v7(), request_key: requestKey, request: text, plan: JSON.stringify(planned.plan), at }
      const made = await acts(transaction).insert(row).onConflict('request_key').ignore().returning('id')
      if (made.length > 0) await recordChanges(transaction, { ...by, at }, [planned.change])
      act = { id: row.id, request: text, plan: planned.plan, reply: null }
    })
    // Somebody else may have come first with the same key.
    act = (await actOf<Reply>(knex, requestKey)) ?? act
  }
  if (act!.request !== text) throw refusal('idempotency_key_reused')
  if (act!.reply) return act!.reply
  const reply = await carryOut(act!.id, act!.plan)
  await acts(knex)
    .where({ id: act!.id })
    .update({ reply: JSON.stringify(reply) })
  return reply
}
