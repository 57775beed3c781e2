import type { Knex } from 'knex'

export const name = '0004-platform-rate-limits'

export const up = async (knex: Knex): Promise<void> => {
  // The columns are rate-limiter-flexible's. Unlogged: a crash may forget who knocked too often.
  await knex.raw(`
    create unlogged table platform.rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );

    create index rate_limits_expire on platform.rate_limits (expire);
  `)
}
