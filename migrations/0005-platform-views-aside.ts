import type { Knex } from 'knex'

export const name = '0005-platform-views-aside'

/**
 * Read models that cannot take in an event and stand still at `position`, so that the others go on; a row goes when its
 * read model has caught up.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table platform.views_aside (
      view text primary key,
      position text not null,
      reason text not null,
      since timestamptz not null default now()
    );

    create function platform.move_view_aside(which text, past text, now_at text) returns void
    language plpgsql as $$
    begin
      update platform.views_aside set position = now_at where view = which and position = past;
      if not found then
        raise exception 'view % is no longer at %', which, past using errcode = 'serialization_failure';
      end if;
    end $$;
  `)
}
