import type { Knex } from 'knex'
import { addDays, type SchoolDate } from '#kernel/school-time'
import type { Sweep } from '#platform/module'
import type { Now } from '#platform/ports'
import { dayMs, type Retention } from '#platform/retention'
import type { ClosedDay } from '../cart/line-policies.decide'
import type { OrderingNeeds } from '../ports'
import { openDaysOf, openToAny, reminder, weekToRemindOf } from './reminder.decide'

const familiesAtOnce = 200

/** Thursdays at 17:00. The message's cause is family and week, so that each family gets one, also after a crash. */
export const remindToOrder = (needs: OrderingNeeds): Sweep => ({
  name: 'remind-to-order',
  run: async () => {
    const { database, now, zone, catalogue, cycles, messaging, identity } = needs
    const week = weekToRemindOf(now(), zone)
    if (week === null || !(await messaging.settings()).reminders) return
    const known = await reminderWeek(database.knex, week)
    if (known.done_at) return
    const calendar = await cycles.orderingCalendar()
    const openDays = openDaysOf(week, calendar, now(), await catalogue.menu())
    if (openDays.length === 0) return
    for (let lastUserId = known.last_user_id; ;) {
      const families = await identity.toRemind(lastUserId, familiesAtOnce)
      await remind(needs, { week, openDays, closures: calendar.closures }, families)
      lastUserId = families.at(-1)?.userId ?? lastUserId
      const doneAt = families.length < familiesAtOnce ? now() : null
      await noteReminded(database.knex, week, { lastUserId, doneAt })
      if (doneAt) return
    }
  },
})

type WeekAhead = { week: SchoolDate; openDays: readonly SchoolDate[]; closures: readonly ClosedDay[] }

const remind = async (
  { database, identity, messaging }: OrderingNeeds,
  { week, openDays, closures }: WeekAhead,
  families: readonly { userId: number; studentIds: readonly number[] }[],
): Promise<void> => {
  const children = families.flatMap(({ studentIds }) => studentIds)
  const [eating, known] = await Promise.all([
    childrenWithLunch(database.knex, children, week, addDays(week, 6)),
    identity.childrenNow(children),
  ])
  for (const { userId, studentIds } of families) {
    const own = studentIds.flatMap((id) => known.get(id) ?? [])
    const [firstDay] = openToAny(openDays, closures, own)
    if (firstDay !== undefined && !studentIds.some((id) => eating.has(id)))
      await messaging.messageUser(
        userId,
        reminder(firstDay, identity.stopLinkOf(userId)),
        `reminder-${week}-${userId}`,
      )
  }
}

type ReminderWeek = { week: SchoolDate; last_user_id: number; done_at: Date | null }

const weeks = (knex: Knex) => knex<ReminderWeek>('ordering.reminder_weeks')

const reminderWeek = async (
  knex: Knex,
  week: SchoolDate,
): Promise<Pick<ReminderWeek, 'last_user_id' | 'done_at'>> =>
  (await weeks(knex).where({ week }).first('last_user_id', 'done_at')) ?? { last_user_id: 0, done_at: null }

const noteReminded = async (
  knex: Knex,
  week: SchoolDate,
  { lastUserId, doneAt }: { lastUserId: number; doneAt: Date | null },
): Promise<void> => {
  await weeks(knex).insert({ week, last_user_id: lastUserId, done_at: doneAt }).onConflict('week').merge()
}

const childrenWithLunch = async (
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
