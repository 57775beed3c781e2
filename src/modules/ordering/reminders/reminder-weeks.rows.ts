import type { Knex } from 'knex'
import type { SchoolDate } from '#kernel/school-time'
import type { Now } from '#platform/clock'
import { dayMs, type Retention } from '#platform/retention'

type ReminderWeek = { week: SchoolDate; last_user_id: number; done_at: Date | null }

const weeks = (knex: Knex) => knex<ReminderWeek>('ordering.reminder_weeks')

/** How far the reminders of a week have come. */
export const reminderWeek = async (
  knex: Knex,
  week: SchoolDate,
): Promise<Pick<ReminderWeek, 'last_user_id' | 'done_at'>> =>
  (await weeks(knex).where({ week }).first('last_user_id', 'done_at')) ?? { last_user_id: 0, done_at: null }

/** Everybody up to this account has been looked at, with `doneAt` everybody. */
export const noteReminded = async (
  knex: Knex,
  week: SchoolDate,
  { lastUserId, doneAt }: { lastUserId: number; doneAt: Date | null },
): Promise<void> => {
  await weeks(knex).insert({ week, last_user_id: lastUserId, done_at: doneAt }).onConflict('week').merge()
}

/** Of these children those who have a lunch between these days, both included. */
export const childrenWithLunch = async (
  knex: Knex,
  studentIds: readonly number[],
  from: SchoolDate,
  to: SchoolDate,
): Promise<Set<number>> =>
  new Set(
    await knex('ordering.orders')
      .whereRaw('student_id = any(?::int[])', [[...studentIds]])
      .whereBetween('meal_date', [from, to])
      .whereIn('status', ['pending', 'completed'])
      .distinct()
      .pluck<number[]>('student_id'),
  )

export const reminderRetention = (knex: Knex, now: Now): Retention => ({
  name: 'ordering.reminder_weeks',
  kept: '30 days',
  remove: (atMost) => {
    const old = weeks(knex)
      .where('week', '<', new Date(now().getTime() - 30 * dayMs))
      .limit(atMost)
    return weeks(knex).whereIn('week', old.select('week')).delete()
  },
})
