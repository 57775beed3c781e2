import type { Knex } from 'knex'

export const name = '0058-payments-retention-and-measures'

/** Pushes that end some day, and the attempts that wait for somebody: both few in tables that only grow. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create index push_inbox_foreign on payments.push_inbox (state, received_at)
      where state in ('unreadable', 'unknown');
    create index attempts_waiting on payments.attempts (status)
      where status in
        ('draft', 'initiated', 'processing', 'paid', 'recovering', 'blocked', 'review', 'refund_due');
  `)
}
