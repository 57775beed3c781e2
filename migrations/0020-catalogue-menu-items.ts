import type { Knex } from 'knex'

export const name = '0020-catalogue-menu-items'

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create schema if not exists catalogue;

    create table catalogue.menu_items (
      id integer generated always as identity primary key,
      name text not null check (name <> ''),
      description text,
      price_ngwee integer not null check (price_ngwee >= 0),
      image_url text,
      type text not null check (type in ('primary', 'secondary')),
      categories text[] not null,
      protein_descriptions jsonb not null,
      week_numbers integer[] not null,
      days_of_week integer[] not null,
      allergens text[] not null,
      side_dishes text[] not null,
      is_available boolean not null,
      is_archived boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
  `)
}
