create schema identity;

-- `usernameKey` is the username as accounts are told apart by it (no case, one Unicode form); lower() would
-- follow the database's locale and leave É and é two users where that locale is C. A deleted account stays
-- as a username, so that the books can still name who ordered.
create table identity.users (
  id integer generated always as identity primary key,
  username text not null,
  "usernameKey" text constraint users_username_unique unique,
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
  "deletedAt" timestamptz,
  "madeBy" integer constraint users_madeby_foreign references identity.users (id),
  "passwordSetBy" integer constraint users_passwordsetby_foreign references identity.users (id),
  "featuresSetBy" integer constraint users_featuressetby_foreign references identity.users (id),
  "secondFactorRemovedBy" integer
    constraint users_secondfactorremovedby_foreign references identity.users (id),
  "credentialsVersion" integer not null default 1,
  "disabledAt" timestamptz,
  "hadOtherEmail" boolean not null default false,
  "totpSecret" text,
  "totpConfirmedAt" timestamptz,
  -- The 30 seconds of the last code that was taken, counted since 1970: no code opens twice.
  "totpStep" integer not null default 0,
  "phoneVerifiedAt" timestamptz,
  "messageChannel" text not null default 'mail' check ("messageChannel" in ('mail', 'sms', 'both')),
  reminders boolean not null default true,
  -- The privacy notice that this account accepted last, null for none.
  "privacyVersion" integer,
  "privacyAcceptedAt" timestamptz,
  check (("temporaryHash" is null) = ("temporaryExpiresAt" is null)),
  constraint users_check1 check ("passwordHash" is not null or "mustChangePassword"),
  constraint users_check2 check (role = 'admin' or (features = '{}' and not "isSuperadmin"))
);
create index users_email on identity.users (lower(email));
create unique index users_one_superadmin on identity.users ("isSuperadmin") where "isSuperadmin";
create index users_temporary on identity.users ("temporaryExpiresAt") where "temporaryExpiresAt" is not null;

-- The school's roll: children with their class and number, also those whom no account has claimed yet.
-- `userId` is the first guardian. The guardian's name, address and phone are those of the roll and stand
-- only until an account has the child; `onRollSince` is null for a child that only its parents entered,
-- `leftAt` says since when it is no longer at the school. A child that was entered twice stays as
-- `mergedInto` the other: its orders carry its number for ever.
create table identity.students (
  id integer generated always as identity primary key,
  "userId" integer constraint students_userid_foreign references identity.users (id),
  name text not null,
  grade text not null,
  class text constraint students_class_length check (char_length(class) <= 20),
  "admissionNumber" text constraint students_admission_number unique,
  "guardianName" text,
  "guardianEmail" text,
  "guardianPhone" text,
  "onRollSince" timestamptz,
  "leftAt" timestamptz,
  "mergedInto" integer
    constraint students_mergedinto_foreign references identity.students (id) on delete cascade,
  constraint students_merged_into_another check ("mergedInto" <> id),
  constraint students_claimed_or_on_roll check ("userId" is not null or "onRollSince" is not null),
  constraint students_guardian_of_unclaimed check (
    "userId" is null or coalesce("guardianName", "guardianEmail", "guardianPhone") is null)
);
create index students_of_user on identity.students ("userId");
create unique index students_one_staff_entry on identity.students ("userId") where grade = 'teacher';
create index students_merged_into on identity.students ("mergedInto");

-- Who asked for a temporary password and has not been answered yet.
create table identity.reset_requests (
  id uuid primary key,
  identifier text not null,
  "dueAt" timestamptz not null,
  "askedAt" timestamptz not null default current_timestamp
);
create index reset_requests_due on identity.reset_requests ("dueAt");

-- Every privacy notice that stood once: `notice` are its words, `fingerprint` tells them from others.
create table identity.privacy_versions (
  version integer generated always as identity primary key,
  fingerprint text not null unique,
  since timestamptz not null,
  notice jsonb not null
);

-- A session carries the version of the credentials that it was opened with: a new password, a disabled or a
-- deleted account ends all of them at once.
create table identity.sessions (
  id uuid primary key,
  -- What the signed cookie carries.
  secret text not null constraint sessions_secret unique,
  "userId" integer not null constraint sessions_userid_foreign references identity.users (id),
  "credentialsVersion" integer not null,
  device text not null,
  -- A digest that names the password that it typed and that must be changed.
  typed text,
  "createdAt" timestamptz not null,
  "lastUsedAt" timestamptz not null,
  "expiresAt" timestamptz not null
);
create index sessions_of_user on identity.sessions ("userId");
create index sessions_expired on identity.sessions ("expiresAt");

-- Of administrators with a second factor.
create table identity.recovery_codes (
  "userId" integer not null constraint recovery_codes_userid_foreign references identity.users (id),
  hash text not null,
  primary key ("userId", hash)
);

-- What the school demands of accounts. One row.
create table identity.security (
  id boolean primary key default true check (id),
  "requireSecondFactor" boolean not null default false,
  "maxChildren" integer not null default 12,
  "maxUnpaidMeals" integer not null default 40,
  -- What parents who work at the school show to order for themselves too; '' takes none.
  "staffCode" text not null default ''
);
insert into identity.security default values;

-- Second guardians: who besides a child's own account orders for it and sees its lunches.
create table identity.guardians (
  "studentId" integer not null
    constraint guardians_studentid_foreign references identity.students (id) on delete cascade,
  "userId" integer not null constraint guardians_userid_foreign references identity.users (id),
  since timestamptz not null,
  primary key ("studentId", "userId")
);
create index guardians_of_user on identity.guardians ("userId");

-- What children must not eat.
create table identity.student_health (
  "studentId" integer primary key
    constraint student_health_studentid_foreign references identity.students (id) on delete cascade,
  -- Null: not declared.
  allergies text[],
  diet text not null check (diet in ('none', 'vegetarian', 'no_pork', 'no_beef', 'halal')),
  "medicalNote" text not null,
  -- Whether the kitchen may read the note.
  "noteConsent" boolean not null,
  "updatedAt" timestamptz not null
);

-- What was accepted of meals that a child is allergic to or that are against its diet. What it was is a matter
-- of health and stands here alone; an order says that something was accepted, not what.
create table identity.acknowledged_meals (
  "studentId" integer not null
    constraint acknowledged_meals_studentid_foreign references identity.students (id) on delete cascade,
  date date not null,
  "itemId" integer not null,
  allergens text[] not null,
  diets text[] not null default '{}',
  by text not null check (by in ('family', 'office')),
  primary key ("studentId", date, "itemId")
);
create index acknowledged_meals_by_date on identity.acknowledged_meals (date);

-- What families were told of such meals.
create table identity.conflicts_told (
  "orderId" text not null,
  "itemId" integer not null,
  -- The key of `catalogue.allergens`, or a diet as in `diet:halal`.
  reason text not null,
  "studentId" integer not null
    constraint conflicts_told_studentid_foreign references identity.students (id) on delete cascade,
  date date not null,
  primary key ("orderId", "itemId", reason)
);
create index conflicts_told_of_student on identity.conflicts_told ("studentId");
create index conflicts_told_by_date on identity.conflicts_told (date);

-- Invitations to be a second guardian, a row for each child; rows of one token are one invitation. Of the
-- mailed token and of the code to share only hashes are kept; whoever has the code may accept where there is
-- no address. The address goes as soon as the invitation was accepted, the row says until it is old that it was.
create table identity.guardian_invites (
  id uuid primary key,
  "studentId" integer not null
    constraint guardian_invites_studentid_foreign references identity.students (id) on delete cascade,
  "invitedBy" integer not null
    constraint guardian_invites_invitedby_foreign references identity.users (id),
  email text,
  "tokenHash" text not null,
  "codeHash" text,
  "invitedAt" timestamptz not null,
  "expiresAt" timestamptz not null,
  "acceptedAt" timestamptz,
  constraint guardian_invites_token unique ("tokenHash", "studentId"),
  constraint guardian_invites_address_until_accepted check ("acceptedAt" is null or email is null)
);
create index guardian_invites_of_code on identity.guardian_invites ("codeHash");
create index guardian_invites_of_address on identity.guardian_invites (email);
create index guardian_invites_of_student on identity.guardian_invites ("studentId");
create index guardian_invites_expiry on identity.guardian_invites ("expiresAt");
