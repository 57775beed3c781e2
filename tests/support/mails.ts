import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { mailFolder, readMail } from '../../src/adapters/mail'
import { eventually } from './eventually'

const read = new Map<string, ReturnType<typeof readMail>>()

/** Like `listMails`, newest first, each mail read once: what is written stays. */
const writtenMails = async (dataDir: string) => {
  const folder = mailFolder(dataDir)
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith('.part'))
  const mails = names
    .toSorted()
    .toReversed()
    .map((name) => {
      const path = join(folder, name)
      const mail = read.get(path) ?? readMail(dataDir, name)
      read.set(path, mail)
      return mail
    })
  return (await Promise.all(mails)).filter((mail) => mail !== null)
}

const looksBeforeSweeps = 3

/** The newest mail to this address with this in its subject, as soon as it is written; what no job writes a sweep does. */
export const mailTo = (
  school: { dataDir: string; sweep: () => Promise<void> },
  address: string,
  subject: string,
) => {
  let looks = 0
  return eventually(async () => {
    const mails = await writtenMails(school.dataDir)
    const found = mails.find((mail) => mail.to.includes(address) && mail.subject.includes(subject))
    if (found) return found
    looks += 1
    // A job writes most mails within these looks, and a sweep costs more than all of them.
    if (looks > looksBeforeSweeps) await school.sweep()
    throw new Error(`No mail "${subject}" to ${address} among ${mails.map((one) => one.subject).join(', ')}`)
  })
}

/** How many messages whose subject begins so were written to this user, sent or not. */
export const writtenTo = async (pool: Pool, userId: number, subject: string): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from messaging.mail_outbox where "userId" = $1 and subject like $2 || '%'`,
    [userId, subject],
  )
  return rows[0]!.count
}

/**
 * From now on nothing can be written to this user, as where the process dies right before: whoever tries fails, and
 * `tried` says how often. `open` ends that.
 */
export const closeOutbox = async (pool: Pool, userId: number) => {
  const tries = `identity.tries_${userId}`
  await pool.query(`
    create sequence ${tries};
    create function identity.refuse_${userId}() returns trigger language plpgsql as $$
      begin
        perform nextval('${tries}');
        raise exception 'killed';
      end $$;
    create trigger refuse_${userId} before insert on messaging.mail_outbox
      for each row when (new."userId" = ${userId}) execute function identity.refuse_${userId}();`)
  return {
    tried: async (): Promise<number> => {
      const { rows } = await pool.query<{ tries: number }>(
        `select case when is_called then last_value::int else 0 end as tries from ${tries}`,
      )
      return rows[0]!.tries
    },
    open: () => pool.query(`drop function identity.refuse_${userId}() cascade; drop sequence ${tries}`),
  }
}
