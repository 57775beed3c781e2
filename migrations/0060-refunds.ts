import type { Knex } from 'knex'

export const name = '0060-refunds'

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create schema if not exists refunds;

    create table refunds.refunds (
      id text primary key,
      order_id text,
      attempt_id uuid not null,
      part text not null,
      user_id integer not null,
      student_name text not null,
      student_grade text not null,
      item_name text not null,
      amount integer not null check (amount > 0),
      owed integer not null check (owed between 0 and amount),
      status text not null,
      reason text not null,
      ordered_at timestamptz not null,
      due_since timestamptz not null
    );

    create index refunds_due on refunds.refunds (due_since, id) where status = 'due';
  `)
}
