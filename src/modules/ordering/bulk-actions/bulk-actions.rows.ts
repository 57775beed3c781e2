import type { Knex } from 'knex'
import { mayHold, withoutWords, type FamilyWords } from '#platform/names-in-texts'

/** `owed` in ngwee; `item` before the act. */
export type ActionOrder = { id: string; userId: number; owed: number; item: string }
export type Skipped = { orderId: string; code: string; message: string; allergens?: string[] | undefined }
export type ActionPlan = { orders: readonly ActionOrder[]; skipped: readonly Skipped[] }

export type ActionRow = {
  id: string
  actor: string
  request_key: string | null
  request: string
  plan: ActionPlan
  reply: object | null
  at: Date
}

const acts = (knex: Knex) => knex<ActionRow>('ordering.order_acts')

export const findAction = async (knex: Knex, requestKey: string | null): Promise<ActionRow | undefined> =>
  requestKey === null ? undefined : acts(knex).where({ request_key: requestKey }).first()

export const insertAction = async (knex: Knex, act: ActionRow): Promise<boolean> => {
  const row = { ...act, plan: JSON.stringify(act.plan) as unknown as ActionPlan }
  const made = await acts(knex).insert(row).onConflict('request_key').ignore().returning('id')
  return made.length > 0
}

export const noteReply = async (knex: Knex, id: string, reply: object): Promise<void> => {
  await acts(knex)
    .where({ id })
    .update({ reply: JSON.stringify(reply) as unknown as object })
}

export const unfinishedActions = (knex: Knex, before: Date): Promise<ActionRow[]> =>
  acts(knex).whereNull('reply').where('at', '<', before).orderBy('at')

/** Reasons are in no event, so that they can be forgotten. */
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
