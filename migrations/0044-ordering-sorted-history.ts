import type { Knex } from 'knex'

export const name = '0044-ordering-sorted-history'

/**
 * The history sorted by a name, which in lower case costs too much to work out for every order. A name may be longer than
 * an index holds.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create index orders_by_student_name on ordering.orders (lower(left(student_name, 100)), placed_at, id);
    create index orders_by_item_name on ordering.orders (lower(left(item_name, 100)), placed_at, id);
  `)
}
