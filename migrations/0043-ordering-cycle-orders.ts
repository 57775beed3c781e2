import type { Knex } from 'knex'

export const name = '0043-ordering-cycle-orders'

/** The history is read page by page in one order, of all cycles or of one; ten years of it must not be sorted anew. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create index orders_in_history on ordering.orders (placed_at desc, week, day, id);
    create index orders_in_history_of_cycle on ordering.orders (cycle_id, placed_at desc, week, day, id);
    drop index ordering.orders_by_cycle;
  `)
}
