import type { Knex } from 'knex'
import { communicationSettings } from '#contracts/identity'
import { messageSettingsFields } from '#contracts/messages'
import { privacySettings } from '#contracts/privacy'
import { addDays, type SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import { inOneRow } from '#platform/settings'
import type { SmsRule } from './channels.decide'

const table = 'messaging.message_settings'

export const messageSettings = inOneRow(table, messageSettingsFields)
export type KeptMessageSettings = Awaited<ReturnType<typeof messageSettings.read>>

export type ReportKind = 'dailyReport' | 'headReport'

const notedIn = { dailyReport: 'reportedOn', headReport: 'headReportedOn' } as const satisfies Record<
  ReportKind,
  string
>

/** Of which day the report was written last, or had nothing to say. */
export const reportedOn = async (knex: Knex, kind: ReportKind): Promise<SchoolDate | null> => {
  const [day] = await knex(table).pluck<(SchoolDate | null)[]>(notedIn[kind])
  return day ?? null
}

/** False if the report of `day` was noted before. */
export const noteReported = async (
  transaction: Knex.Transaction,
  kind: ReportKind,
  day: SchoolDate,
): Promise<boolean> =>
  (await transaction(table)
    .whereRaw('?? is distinct from ?', [notedIn[kind], day])
    .update({ [notedIn[kind]]: day })) > 0

export const smsRuleAt = async (at: Reader): Promise<SmsRule> => {
  const { rows } = await at.query<SmsRule>('select sms, "otherCountries" from messaging.message_settings')
  return rows[0]!
}

/** A tenth is reserved for temporary passwords, so that others cannot lock people out; null: unlimited. */
export const ceilingOf = (
  { dailyCeiling }: { dailyCeiling: number | null },
  purpose: 'message' | 'code' | 'password',
): number | null => {
  if (dailyCeiling === null || purpose === 'password') return dailyCeiling
  const forAll = dailyCeiling - Math.ceil(dailyCeiling / 10)
  return purpose === 'code' ? Math.ceil(forAll / 2) : forAll
}

export const smsDayRows = (knex: Knex) => {
  const days = () => knex<{ day: SchoolDate; sent: number }>('messaging.sms_days')
  return {
    isFull: async (day: SchoolDate, ceiling: number | null): Promise<boolean> => {
      if (ceiling === null) return false
      const row = await days().where({ day }).first('sent')
      return (row?.sent ?? 0) >= ceiling
    },

    /** On this day, and the 30 ending with it. */
    counted: async (day: SchoolDate): Promise<{ sentToday: number; sentIn30Days: number }> => {
      const { rows } = await knex.raw<{ rows: { sentToday: number; sentIn30Days: number }[] }>(
        `select coalesce(sum(sent), 0)::int as "sentIn30Days",
           coalesce(sum(sent) filter (where day = ?), 0)::int as "sentToday"
         from messaging.sms_days where day between ? and ?`,
        [day, addDays(day, -29), day],
      )
      return rows[0]!
    },

    /** False, without counting, when the day is full. */
    take: async (day: SchoolDate, ceiling: number | null): Promise<boolean> => {
      const { rows } = await knex.raw<{ rows: unknown[] }>(
        `insert into messaging.sms_days as known (day, sent) values (?, 1)
         on conflict (day) do update set sent = known.sent + 1 where ?::int is null or known.sent < ?::int
         returning sent`,
        [day, ceiling, ceiling],
      )
      return rows.length > 0
    },

    /** False, without counting, when the codes are used up. */
    takeCode: async (day: SchoolDate, ceiling: number | null): Promise<boolean> => {
      const { rows } = await knex.raw<{ rows: unknown[] }>(
        `insert into messaging.sms_days as known (day, sent, codes) values (?, 0, 1)
         on conflict (day) do update set codes = known.codes + 1 where ?::int is null or known.codes < ?::int
         returning codes`,
        [day, ceiling, ceiling],
      )
      return rows.length > 0
    },

    /** Only after the gateway certainly did not take the message. */
    giveBack: async (day: SchoolDate): Promise<void> => {
      await days().where({ day }).decrement('sent', 1)
    },
  }
}

export const communication = inOneRow('messaging.communication', communicationSettings)

export const privacyContact = inOneRow('messaging.communication', privacySettings)
