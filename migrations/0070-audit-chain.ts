import type { Knex } from 'knex'

export const name = '0070-audit-chain'

/** The chain over all events, and the results of audits. Both are only ever added to: the trigger stops mistakes. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create schema if not exists audit;

    create table audit.chain (
      number bigint primary key,
      position text collate "C" not null unique,
      event_id uuid not null unique,
      hash text not null
    );

    create table audit.runs (
      id bigint generated always as identity primary key,
      day date not null,
      ended_at timestamptz not null,
      events bigint not null,
      findings integer not null,
      unbalanced bigint not null,
      head_number bigint not null,
      head_hash text not null
    );

    create function audit.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is only ever added to', tg_table_name;
    end $$;

    create trigger chain_only_grows before update or delete or truncate on audit.chain
      for each statement execute function audit.refuse_change();
    create trigger runs_only_grow before update or delete or truncate on audit.runs
      for each statement execute function audit.refuse_change();
  `)
}
