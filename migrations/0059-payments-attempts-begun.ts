import type { Knex } from 'knex'

export const name = '0059-payments-attempts-begun'

/** Nobody projects while a school is upgraded, so what stands in the attempts is what the count has to say. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table payments.attempts_begun (
      kind text primary key,
      begun integer not null
    );

    insert into payments.attempts_begun select kind, count(*) from payments.attempts group by kind;
  `)
}
