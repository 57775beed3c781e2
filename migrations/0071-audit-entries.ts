import type { Knex } from 'knex'

export const name = '0071-audit-entries'

/**
 * What happened, one row per event, and the money of attempts, orders and refunds as their events tell it. Amounts are
 * bigint: what a provider claims to have received may be anything.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create schema if not exists audit;

    create table audit.entries (
      event_id uuid primary key,
      position text collate "C" not null,
      at timestamptz not null,
      actor text not null,
      who text,
      kind text not null,
      what text not null,
      amount bigint,
      takes_order_price boolean not null,
      details jsonb not null,
      attempt_id uuid,
      order_id text,
      slot text
    );
    create index entries_in_order on audit.entries (position desc);
    create index entries_by_time on audit.entries (at);
    create index entries_by_attempt on audit.entries (attempt_id, position);
    create index entries_by_order on audit.entries (order_id, position);
    create index entries_by_actor on audit.entries (actor, position);

    create table audit.ledger_attempts (
      id uuid primary key,
      kind text not null,
      reference text,
      total bigint not null,
      started_at timestamptz not null,
      money text not null,
      received bigint,
      fee bigint not null,
      shortfall bigint not null,
      surplus bigint not null,
      lines jsonb not null,
      changed_at timestamptz not null
    );

    create table audit.ledger_orders (
      id text primary key,
      attempt_id uuid not null,
      line integer not null,
      cycle_id integer not null,
      slot text not null,
      price bigint not null,
      paid text not null,
      status text not null,
      changed_at timestamptz not null
    );
    create index ledger_orders_by_attempt on audit.ledger_orders (attempt_id);

    create table audit.ledger_refunds (
      id text primary key,
      attempt_id uuid not null,
      order_id text,
      part text not null,
      amount bigint not null,
      owed bigint not null,
      paid_back bigint not null,
      status text not null
    );
    create index ledger_refunds_by_attempt on audit.ledger_refunds (attempt_id);
  `)
}
