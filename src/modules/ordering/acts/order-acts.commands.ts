import type { Ports } from '#platform/ports'
import { v7 } from 'uuid'
import { recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { Sweep } from '#platform/module'
import { refusal } from '../refusals'
import {
  actOf,
  insertAct,
  noteReply,
  unfinishedActs,
  type ActPlan,
  type ActRow,
  type Skipped,
} from './order-acts.rows'

type ActReply = { skipped: readonly Skipped[] }

/** Something that is done to many orders at once; `carryOut` may be repeated, and answers the same then. */
export type OrderAct<Body extends object, Reply extends ActReply> = {
  act: string
  /** `id`: the act's, by which a sentence of the history names its reason: `{reason:…}`. */
  plan: (body: Body, id: string) => Promise<{ plan: ActPlan; change: Change }>
  carryOut: (act: { id: string; plan: ActPlan; body: Body; by: By }) => Promise<Reply>
}

type Asked<Body> = { body: Body; idempotencyKey: string | null; by: By }

/**
 * Plans an act on many orders and carries it out. The same key of the same person answers what it did the first time, or
 * carries on where a crash cut it off; with another request it is `idempotency_key_reused`.
 */
export const actOnce =
  <Body extends object, Reply extends ActReply>(
    { database: { knex }, now }: Ports,
    { act, plan, carryOut }: OrderAct<Body, Reply>,
  ) =>
  async ({ body, idempotencyKey, by }: Asked<Body>): Promise<Reply> => {
    const requestKey = idempotencyKey === null ? null : `${by.actor} ${idempotencyKey}`
    const request = JSON.stringify({ act, ...body })
    let known = await actOf(knex, requestKey)
    if (!known) {
      const at = now()
      const id = v7()
      const { plan: planned, change } = await plan(body, id)
      const row: ActRow = {
        id,
        actor: by.actor,
        request_key: requestKey,
        request,
        plan: planned,
        reply: null,
        at,
      }
      await knex.transaction(async (transaction) => {
        if (await insertAct(transaction, row)) await recordChanges(transaction, { ...by, at }, [change])
      })
      // Somebody else may have come first with the same key.
      known = (await actOf(knex, requestKey)) ?? row
    }
    if (known.request !== request) throw refusal('idempotency_key_reused')
    if (known.reply) return known.reply as Reply
    const reply = await carryOut({ id: known.id, plan: known.plan, body, by })
    await noteReply(knex, known.id, withoutHealth(reply))
    return reply
  }

/** That a child is allergic to something is told to whoever asked first, and kept nowhere (families.md section 3). */
const withoutHealth = (reply: ActReply): ActReply => ({
  ...reply,
  skipped: reply.skipped.map(({ orderId, code, message }) =>
    code === 'allergen_conflict'
      ? { orderId, code: 'not_possible', message: 'This meal is not possible for this child' }
      : { orderId, code, message },
  ),
})

// Whoever asked has been answered by then, or never will be.
const maxRequestMs = 300_000

/** Carries on with what a crash cut off and nobody asked for again. */
export const finishOrderActs = (
  { database: { knex }, now }: Ports,
  acts: readonly OrderAct<never, ActReply>[],
): Sweep => ({
  name: 'finish-order-acts',
  run: async () => {
    for (const { id, actor, request, plan } of await unfinishedActs(
      knex,
      new Date(now().getTime() - maxRequestMs),
    )) {
      const { act, ...body } = JSON.parse(request) as { act: string }
      const { carryOut } = acts.find((one) => one.act === act)!
      const reply = await carryOut({ id, plan, body: body as never, by: { actor, correlationId: id } })
      await noteReply(knex, id, withoutHealth(reply))
    }
  },
})
