import type { Knex } from 'knex'
import type { Now } from '#platform/clock'
import { dayMs, type Retention } from '#platform/retention'
import type { StatusChange } from './order-batch.decide'

/** The orders that were pending and got this status in one act of `actor`. */
type StatusBatch = { id: string; actor: string; status: StatusChange; order_ids: string[]; at: Date }

const batches = (knex: Knex) => knex<StatusBatch>('ordering.status_batches')

export const insertBatch = async (knex: Knex, batch: StatusBatch): Promise<void> => {
  await batches(knex).insert({ ...batch, order_ids: JSON.stringify(batch.order_ids) as unknown as string[] })
}

export const batchOf = (knex: Knex, id: string): Promise<StatusBatch | undefined> =>
  batches(knex).where({ id }).first()

export const batchRetention = (knex: Knex, now: Now): Retention => ({
  name: 'ordering.status_batches',
  kept: 'a day',
  remove: (atMost) => {
    const old = batches(knex)
      .where('at', '<', new Date(now().getTime() - dayMs))
      .limit(atMost)
    return batches(knex).whereIn('id', old.select('id')).delete()
  },
})
