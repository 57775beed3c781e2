create schema messaging;

-- Mails and SMS. `userId` says whose name or address a message holds, so that it goes with the account: an
-- address may be one that the account has no more.
create table messaging.mail_outbox (
  id uuid primary key,
  "to" text not null,
  "replyTo" text,
  subject text not null,
  text text not null,
  -- Of a mail: what an SMS says in its place where the mailbox refuses it.
  short text,
  attempts integer not null default 0,
  "createdAt" timestamptz not null,
  "dueAt" timestamptz not null,
  "sentAt" timestamptz,
  "givenUpAt" timestamptz,
  "userId" integer,
  channel text not null default 'mail' check (channel in ('mail', 'sms')),
  -- What it is for: a day keeps some SMS for passwords, and mails that prove or guard an account have room
  -- of their own.
  purpose text not null default 'message' check (purpose in ('message', 'account', 'code', 'password', 'report')),
  -- Of a mail: whose mailbox it goes to; waiting for the day's room there; counted there, since nobody has
  -- verified the address.
  mailbox text,
  held boolean not null default false,
  unproven boolean not null default false,
  -- Since when the gateway is being asked; still there when nobody knows what came of it.
  "calledAt" timestamptz,
  -- Of no use to anybody from then on.
  "expiresAt" timestamptz,
  -- Given up because the gateway may have sent it.
  unclear boolean not null default false,
  -- Why the last try came to nothing.
  failure text,
  -- Of a letter to an address of the register: the account that has the children now, with which it goes.
  "claimedBy" integer
);
create index mail_outbox_due on messaging.mail_outbox ("dueAt")
  where "sentAt" is null and "givenUpAt" is null;
-- What tells that a mail is old: finding it is to cost the same however many there are.
create index mail_outbox_ended on messaging.mail_outbox (coalesce("sentAt", "givenUpAt"))
  where coalesce("sentAt", "givenUpAt") is not null;
create index mail_outbox_given_up on messaging.mail_outbox ("givenUpAt") where "givenUpAt" is not null;
create index mail_outbox_user on messaging.mail_outbox ("userId");
create index mail_outbox_claimed on messaging.mail_outbox ("claimedBy") where "claimedBy" is not null;
create index mail_outbox_mailbox on messaging.mail_outbox (mailbox) where unproven or held or "userId" is null;

-- One row.
create table messaging.message_settings (
  "onlyRow" boolean primary key default true check ("onlyRow"),
  sms boolean not null,
  -- Null: without end.
  "dailyCeiling" integer,
  "otherCountries" boolean not null default false,
  "orderWithPhone" boolean not null,
  reminders boolean not null,
  -- Who gets the mail of 06:30, and the last day of which it was written, or nothing was to be said.
  "dailyReport" text[] not null default '{}',
  "reportedOn" date
);
insert into messaging.message_settings (sms, "orderWithPhone", reminders) values (false, false, false);

-- How many messages the gateway was handed on a day of the school.
create table messaging.sms_days (
  day date primary key,
  sent integer not null,
  -- How many codes were asked for.
  codes integer not null default 0
);

-- The codes that prove a phone.
create table identity.phone_codes (
  "userId" integer primary key
    constraint phone_codes_userid_foreign references identity.users (id) on delete cascade,
  -- The code is for this phone and no other.
  phone text not null,
  "codeHash" text not null,
  "triesLeft" integer not null,
  "expiresAt" timestamptz not null
);
create index phone_codes_expired on identity.phone_codes ("expiresAt");

-- Whom parents can write to. One row.
create table messaging.communication (
  id boolean primary key default true check (id),
  "supportEmail" text not null,
  "whatsappNumber" text not null,
  -- Whom they ask about their data.
  "dataProtectionOfficer" text not null default ''
);
insert into messaging.communication ("supportEmail", "whatsappNumber") values ('', '');
