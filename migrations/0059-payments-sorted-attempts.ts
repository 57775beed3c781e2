import type { Knex } from 'knex'

export const name = '0059-payments-sorted-attempts'

/**
 * Live Orders is read anew every five seconds, in whatever order is chosen, from rows that are wide. The names of a long
 * cart may be more than an index holds.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create index attempts_by_total on payments.attempts (total, started_at, id);
    create index attempts_by_live_status on payments.attempts (live_status, started_at, id);
    create index attempts_by_students on payments.attempts (lower(left(students, 100)), started_at, id);
    create index attempts_by_items on payments.attempts (lower(left(items, 100)), started_at, id);
    create index attempts_sorted_by_token on payments.attempts (coalesce(token, ''), started_at, id);
  `)
}
