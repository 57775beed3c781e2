import type { Knex } from 'knex'

export const name = '0042-ordering-money'

/** What finance looks for again and again is little of a table that only grows. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create index orders_unpaid on ordering.orders (user_id, placed_at)
      where payment_status = 'pending' and status in ('pending', 'completed');
    create index orders_cancelled_paid on ordering.orders (id)
      where status = 'cancelled' and payment_status = 'confirmed' and price > 0;
  `)
}
