import type { Ports } from '#platform/ports'
import { v7 } from 'uuid'
import { recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { Sweep } from '#platform/module'
import { refusal } from '../refusals'
import {
  findAction,
  insertAction,
  noteReply,
  unfinishedActions,
  type ActionPlan,
  type ActionRow,
  type Skipped,
} from './bulk-actions.rows'

type ActReply = { skipped: readonly Skipped[] }

export type BulkAction<Body extends object, Reply extends ActReply> = {
  act: string
  /** `id`: names the act's reason in the history, `{reason:…}`. */
  plan: (body: Body, id: string) => Promise<{ plan: ActionPlan; change: Change }>
  carryOut: (act: { id: string; plan: ActionPlan; body: Body; by: By }) => Promise<Reply>
}

type Asked<Body> = { body: Body; idempotencyKey: string | null; by: By }

/**
 * Plans and carries out a bulk act. The same person's key answers the first result or resumes after a crash; another request is
 * `idempotency_key_reused`.
 */
export const runOnce =
  <Body extends object, Reply extends ActReply>(
    { database: { knex }, now }: Ports,
    { act, plan, carryOut }: BulkAction<Body, Reply>,
  ) =>
  async ({ body, idempotencyKey, by }: Asked<Body>): Promise<Reply> => {
    const requestKey = idempotencyKey === null ? null : `${by.actor} ${idempotencyKey}`
    const request = JSON.stringify({ act, ...body })
    let known = await findAction(knex, requestKey)
    if (!known) {
      const at = now()
      const id = v7()
      const { plan: planned, change } = await plan(body, id)
      const row: ActionRow = {
        id,
        actor: by.actor,
        request_key: requestKey,
        request,
        plan: planned,
        reply: null,
        at,
      }
      await knex.transaction(async (transaction) => {
        if (await insertAction(transaction, row)) await recordChanges(transaction, { ...by, at }, [change])
      })
      // A concurrent call may have used the key first.
      known = (await findAction(knex, requestKey)) ?? row
    }
    if (known.request !== request) throw refusal('idempotency_key_reused')
    if (known.reply) return known.reply as Reply
    const reply = await carryOut({ id: known.id, plan: known.plan, body, by })
    await noteReply(knex, known.id, withoutHealth(reply))
    return reply
  }

/** Allergies are answered once and stored nowhere (families.md section 3). */
const withoutHealth = (reply: ActReply): ActReply => ({
  ...reply,
  skipped: reply.skipped.map(({ orderId, code, message }) =>
    code === 'allergen_conflict'
      ? { orderId, code: 'not_possible', message: 'This meal is not possible for this child' }
      : { orderId, code, message },
  ),
})

// By then the request was answered or died.
const maxRequestMs = 300_000

/** Finishes acts after a crash that nobody repeated. */
export const finishBulkActions = (
  { database: { knex }, now }: Ports,
  acts: readonly BulkAction<never, ActReply>[],
): Sweep => ({
  name: 'finish-order-acts',
  run: async () => {
    for (const { id, actor, request, plan } of await unfinishedActions(
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
