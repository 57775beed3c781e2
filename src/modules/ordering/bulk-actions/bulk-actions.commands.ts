import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { DietName } from '#contracts/catalogue'
import { recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { sweepOf } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import { mayHold, withoutWords, type FamilyWords } from '#platform/names-in-texts'
import type { Ports } from '#platform/ports'
import { refusal } from '../refusals'

type ActReply = { skipped: readonly Skipped[] }

export type BulkAction<Body extends object, Reply extends ActReply> = {
  act: string
  /** `id` names the reason in the history, as `{reason:…}`. */
  plan: (body: Body, id: string) => Promise<{ plan: ActionPlan; change: Change }>
  carryOut: (act: { id: string; plan: ActionPlan; body: Body; by: By }) => Promise<Reply>
}

type Asked<Body> = { body: Body; idempotencyKey: string | null; by: By }

/** The same person's key repeats the first answer, or resumes after a crash; for another request it is `idempotency_key_reused`. */
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

/** Allergies and diets are answered once and never stored (families.md section 3). */
const withoutHealth = (reply: ActReply): ActReply => ({
  ...reply,
  skipped: reply.skipped.map(({ orderId, code, message }) =>
    code === 'allergen_conflict' || code === 'diet_conflict'
      ? { orderId, code: 'not_possible', message: 'This meal is not possible for this child' }
      : { orderId, code, message },
  ),
})

// A request that is older was answered or cut off.
const maxRequestMs = 300_000

/** Finishes bulk actions that a crash cut off and nobody repeated. */
export const finishBulkActions = (
  { database: { knex }, now }: Ports,
  acts: readonly BulkAction<never, ActReply>[],
): Sweep =>
  sweepOf({
    name: 'finish-order-acts',
    due: () => unfinishedActions(knex, new Date(now().getTime() - maxRequestMs)),
    id: ({ id }) => id,
    act: async ({ id, actor, request, plan }) => {
      const { act, ...body } = JSON.parse(request) as { act: string }
      const { carryOut } = acts.find((one) => one.act === act)!
      const reply = await carryOut({ id, plan, body: body as never, by: { actor, correlationId: id } })
      await noteReply(knex, id, withoutHealth(reply))
    },
  })

/** `item` before the act. */
export type ActionOrder = { id: string; userId: number; item: string }

export type Skipped = { orderId: string; code: string; message: string } & Partial<{
  allergens: string[]
  diets: DietName[]
}>

export type ActionPlan = { orders: readonly ActionOrder[]; skipped: readonly Skipped[] }

type ActionRow = {
  id: string
  actor: string
  request_key: string | null
  request: string
  plan: ActionPlan
  reply: object | null
  at: Date
}

const acts = (knex: Knex) => knex<ActionRow>('ordering.order_acts')

const findAction = async (knex: Knex, requestKey: string | null): Promise<ActionRow | undefined> =>
  requestKey === null ? undefined : acts(knex).where({ request_key: requestKey }).first()

const insertAction = async (knex: Knex, act: ActionRow): Promise<boolean> => {
  const row = { ...act, plan: JSON.stringify(act.plan) as unknown as ActionPlan }
  const made = await acts(knex).insert(row).onConflict('request_key').ignore().returning('id')
  return made.length > 0
}

const noteReply = async (knex: Knex, id: string, reply: object): Promise<void> => {
  await acts(knex)
    .where({ id })
    .update({ reply: JSON.stringify(reply) as unknown as object })
}

const unfinishedActions = (knex: Knex, before: Date): Promise<ActionRow[]> =>
  acts(knex).whereNull('reply').where('at', '<', before).orderBy('at')

/** Events hold no reasons, so that reasons can be forgotten. */
export const actionReasons = async (knex: Knex, ids: readonly string[]): Promise<Map<string, string>> => {
  const found = await acts(knex)
    .whereRaw('id = any(?::uuid[])', [[...ids]])
    .select('id', 'request')
  return new Map(found.flatMap(({ id, request }) => reasonOf(request).map((reason) => [id, reason] as const)))
}

const reasonOf = (request: string): string[] => {
  const { reason } = JSON.parse(request) as { reason?: string }
  return reason === undefined ? [] : [reason]
}

export const forgetInActions = async (knex: Knex, words: FamilyWords): Promise<void> => {
  const found = (await mayHold(acts(knex), 'request', words).select('id', 'request')) as ActionRow[]
  for (const { id, request } of found)
    for (const reason of reasonOf(request)) {
      const told = JSON.stringify({ ...(JSON.parse(request) as object), reason: withoutWords(reason, words) })
      await acts(knex).where({ id }).update({ request: told })
    }
}
