import type { Knex } from 'knex'

/** The orders, a read model, and the discount codes. */
export const up = async (knex: Knex): Promise<void> => {
  const ordering = () => knex.schema.withSchema('ordering')
  await knex.schema.createSchema('ordering')

  await ordering().createTable('orders', (table) => {
    table.text('id').primary()
    table.uuid('attempt_id').notNullable()
    table.integer('line').notNullable()
    table.integer('user_id').notNullable()
    table.integer('student_id').notNullable()
    table.text('student_name').notNullable()
    table.text('student_grade').notNullable()
    table.integer('cycle_id').notNullable()
    table.smallint('week').notNullable()
    table.smallint('day').notNullable()
    table.date('meal_date').notNullable()
    table.integer('item_id').notNullable()
    table.text('item_name').notNullable()
    table.text('item_type').notNullable()
    table.text('category')
    table.text('side_dish')
    table.text('comments').notNullable()
    table.integer('original_price').notNullable()
    table.integer('price').notNullable()
    table.double('discount_percentage').notNullable()
    table.text('status').notNullable()
    table.text('payment_status').notNullable()
    table.timestamp('placed_at').notNullable()
    table.boolean('cancelled_late').notNullable()

    table.index(['user_id', knex.raw('placed_at desc')], 'orders_by_user')
    table.index(['student_id'], 'orders_by_student', {
      predicate: knex.whereRaw(`status in ('pending', 'completed')`),
    })
    table.index(['item_id'], 'orders_by_item')
    table.index(['meal_date'], 'orders_by_date')
    // What finance looks for again and again is little of a table that only grows.
    table.index(['user_id', 'placed_at'], 'orders_unpaid', {
      predicate: knex.whereRaw(`payment_status = 'pending' and status in ('pending', 'completed')`),
    })
    table.index(['id'], 'orders_cancelled_paid', {
      predicate: knex.whereRaw(`status = 'cancelled' and payment_status = 'confirmed' and price > 0`),
    })
    // The history is read page by page in one order, of all cycles or of one; ten years of it must not be sorted anew.
    const history = [knex.raw('placed_at desc'), 'week', 'day', 'id']
    table.index(history, 'orders_in_history')
    table.index(['cycle_id', ...history], 'orders_in_history_of_cycle')
  })
  // A tripwire, not the guarantee (that is the slot stream's revision): no child has two active orders on one day. It
  // is checked at commit because one batch may cancel an order and place the next one for its day, and only an
  // exclusion can be both partial and deferred; knex has no word for it.
  await knex.raw(`
    alter table ordering.orders add constraint orders_one_active_per_child_and_day
      exclude using btree (cycle_id with =, student_id with =, week with =, day with =)
      where (status in ('pending', 'completed')) deferrable initially deferred`)

  await ordering().createTable('discount_codes', (table) => {
    table.specificType('id', 'integer generated always as identity primary key')
    table.text('code').notNullable()
    table.integer('user_id').notNullable()
    table.decimal('percentage', 5, 2).notNullable().checkBetween([0, 100])
    table.boolean('is_active').notNullable()
    table.timestamp('created_at').notNullable()
    table.unique([knex.raw('lower(code)')], { indexName: 'discount_codes_by_code', useConstraint: false })
    table.index(['user_id'], 'discount_codes_by_user', { predicate: knex.whereRaw('is_active') })
  })
}
