create schema enrolment;

-- The families that were deleted.
create table enrolment.deletions (
  "userId" integer primary key constraint deletions_userid_foreign references identity.users (id),
  "studentIds" integer[] not null,
  actor text not null,
  "correlationId" text not null,
  at timestamptz not null,
  "finishedAt" timestamptz
);
create index deletions_unfinished on enrolment.deletions (at) where "finishedAt" is null;

-- Lists of the school that were uploaded. `file`: the rows as they were read; `plan`: what was shown of
-- them; `done`: what applying did, so that it can be put back.
create table enrolment.roll_imports (
  id uuid primary key,
  "createdAt" timestamptz not null,
  file jsonb not null,
  plan text not null,
  "appliedAt" timestamptz,
  done jsonb,
  "undoneAt" timestamptz,
  constraint roll_imports_done_when_applied check (("appliedAt" is null) = (done is null))
);

-- The codes by which families come to their children: a hash alone, on each child of the family.
create table enrolment.claim_codes (
  "studentId" integer primary key
    constraint claim_codes_studentid_foreign references identity.students (id) on delete cascade,
  hash text not null,
  "expiresAt" timestamptz not null
);
create index claim_codes_by_hash on enrolment.claim_codes (hash);

-- Year moves of the whole school: what was previewed, child by child, so that exactly that is done and can
-- be taken back.
create table enrolment.promotions (
  id uuid primary key,
  -- Whether classes are renamed too.
  rename boolean not null,
  "previewedAt" timestamptz not null,
  "appliedAt" timestamptz,
  "undoneAt" timestamptz,
  constraint promotions_undone_once_applied check ("undoneAt" is null or "appliedAt" is not null)
);

create table enrolment.promoted_students (
  "promotionId" uuid not null
    constraint promoted_students_promotionid_foreign references enrolment.promotions (id) on delete cascade,
  "studentId" integer not null
    constraint promoted_students_studentid_foreign references identity.students (id) on delete cascade,
  "gradeBefore" text not null,
  "gradeAfter" text not null,
  "classBefore" text,
  "classAfter" text,
  -- Leaves the school after the last grade.
  leaves boolean not null,
  -- Whether an undone year move gave the child back its grade; null before.
  restored boolean,
  primary key ("promotionId", "studentId")
);
create index promoted_students_of_student on enrolment.promoted_students ("studentId");
