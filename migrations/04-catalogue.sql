create schema catalogue;

-- `portion_limit`: how many portions can be ordered for one date; `sold_out_dates`: when it is sold out by
-- hand (days-and-changes.md section 3). `diets`: yes, no or unknown for each, as the kitchen states it.
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
  diets jsonb not null
    default '{"halal": "unknown", "vegetarian": "unknown", "noPork": "unknown", "noBeef": "unknown"}',
  side_dishes text[] not null,
  is_available boolean not null,
  is_archived boolean not null,
  portion_limit integer check (portion_limit > 0),
  sold_out_dates text[] not null default '{}'
);

-- Pictures of dishes, each in two sizes as WebP. `needed_at`: when it was uploaded, or last named or left
-- by an item.
create table catalogue.pictures (
  hash text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  needed_at timestamptz not null,
  primary key (hash, width, height)
);
-- WebP does not become smaller; looking for what could only costs time.
alter table catalogue.pictures alter column bytes set storage external;
