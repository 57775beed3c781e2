import type { Knex } from 'knex'

export const name = '0002-platform-checkpoints'

/**
 * How far each follower of the events has come; '' is before the first event. Moving on fails when somebody else has
 * moved meanwhile, and takes with it whatever was written in the same transaction: so each event counts once.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table platform.checkpoints (
      name text primary key,
      position text not null,
      moved_at timestamptz not null default now()
    );

    create function platform.move_checkpoint(which text, past text, now_at text) returns void
    language plpgsql as $$
    begin
      update platform.checkpoints set position = now_at, moved_at = now()
      where name = which and position = past;
      if not found then
        raise exception 'checkpoint % is no longer at %', which, past using errcode = 'serialization_failure';
      end if;
    end $$;
  `)
}
