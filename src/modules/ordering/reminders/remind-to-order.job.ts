import { addDays } from '#kernel/school-time'
import type { Sweep } from '#platform/module'
import type { OrderingNeeds } from '../needs'
import { openDaysOf, reminder, weekToRemindOf } from './reminder.decide'
import { childrenWithLunch, noteReminded, reminderWeek } from './reminder-weeks.rows'

type Needs = Pick<OrderingNeeds, 'database' | 'now' | 'zone' | 'cycles' | 'identity'>

const familiesAtOnce = 200

/**
 * On Thursdays at 17:00, where the school reminds: writes to each family with children that has ordered nothing for next
 * week, though the week has days on which lunch can be ordered. Begins again where a crash cut it off; a family is
 * reminded of a week once, as the message's cause is family and week.
 */
export const remindToOrder = (needs: Needs): Sweep => ({
  name: 'remind-to-order',
  run: async () => {
    const { database, now, zone, cycles, identity } = needs
    const week = weekToRemindOf(now(), zone)
    if (week === null || !(await identity.remindersOn())) return
    const known = await reminderWeek(database.knex, week)
    if (known.done_at) return
    const [firstDay] = openDaysOf(week, await cycles.orderingCalendar(), now(), zone)
    if (firstDay === undefined) return
    for (let lastUserId = known.last_user_id; ;) {
      const families = await identity.toRemind(lastUserId, familiesAtOnce)
      await remind(needs, { week, firstDay }, families)
      lastUserId = families.at(-1)?.userId ?? lastUserId
      const doneAt = families.length < familiesAtOnce ? now() : null
      await noteReminded(database.knex, week, { lastUserId, doneAt })
      if (doneAt) return
    }
  },
})

const remind = async (
  { database, identity }: Needs,
  { week, firstDay }: { week: string; firstDay: string },
  families: readonly { userId: number; studentIds: readonly number[] }[],
): Promise<void> => {
  const children = families.flatMap(({ studentIds }) => studentIds)
  const eating = await childrenWithLunch(database.knex, children, week, addDays(week, 6))
  for (const { userId, studentIds } of families)
    if (!studentIds.some((id) => eating.has(id)))
      await identity.messageUser(
        userId,
        reminder(firstDay, identity.stopLinkOf(userId)),
        `reminder-${week}-${userId}`,
      )
}
