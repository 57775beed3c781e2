import type { Knex } from 'knex'

export const name = '0040-ordering-orders'

/**
 * The exclusion is a tripwire, not the guarantee (that is the slot stream's revision): no child has two active orders
 * on one day. It is checked at commit because one batch may cancel an order and place the next one for its day.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create schema if not exists ordering;

    create table ordering.orders (
      id text primary key,
      attempt_id uuid not null,
      line integer not null,
      user_id integer not null,
      student_id integer not null,
      student_name text not null,
      student_grade text not null,
      cycle_id integer not null,
      week smallint not null,
      day smallint not null,
      meal_date date not null,
      cutoff_at timestamptz not null,
      item_id integer not null,
      item_name text not null,
      item_type text not null,
      category text,
      side_dish text,
      comments text not null,
      original_price integer not null,
      price integer not null,
      discount_percentage double precision not null,
      status text not null,
      payment_status text not null,
      placed_at timestamptz not null,
      cancelled_at timestamptz,
      cancelled_late boolean not null,
      constraint orders_one_active_per_child_and_day
        exclude using btree (cycle_id with =, student_id with =, week with =, day with =)
        where (status in ('pending', 'completed'))
        deferrable initially deferred
    );

    create index orders_by_user on ordering.orders (user_id, placed_at desc);
    create index orders_by_student on ordering.orders (student_id) where status in ('pending', 'completed');
    create index orders_by_item on ordering.orders (item_id);
    create index orders_by_cycle on ordering.orders (cycle_id);
    create index orders_by_date on ordering.orders (meal_date);
  `)
}
