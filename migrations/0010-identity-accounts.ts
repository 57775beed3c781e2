import type { Knex } from 'knex'

export const name = '0010-identity-accounts'

// `usernameKey` is the username as accounts are told apart by it (no case, one Unicode form); lower() would follow
// the database's locale and leave É and é two users where that locale is C.
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create schema identity;

    create table identity.users (
      id integer generated always as identity primary key,
      username text not null,
      "usernameKey" text not null constraint users_username_unique unique,
      name text not null,
      email text,
      phone text,
      role text not null check (role in ('parent', 'teacher', 'admin')),
      features text[] not null default '{}',
      "isSuperadmin" boolean not null default false,
      "passwordHash" text,
      "temporaryHash" text,
      "temporaryExpiresAt" timestamptz,
      "mustChangePassword" boolean not null default false,
      "emailVerifiedAt" timestamptz,
      "createdAt" timestamptz not null,
      check (("temporaryHash" is null) = ("temporaryExpiresAt" is null)),
      check ("passwordHash" is not null or "mustChangePassword"),
      check (role = 'admin' or (features = '{}' and not "isSuperadmin"))
    );
    create index users_email on identity.users (lower(email));
    create unique index users_one_superadmin on identity.users ("isSuperadmin") where "isSuperadmin";

    create table identity.students (
      id integer generated always as identity primary key,
      "userId" integer not null references identity.users (id),
      name text not null,
      grade text not null,
      "createdAt" timestamptz not null
    );
    create index students_of_user on identity.students ("userId");
    create unique index students_one_staff_entry on identity.students ("userId") where grade = 'teacher';
  `)
}
