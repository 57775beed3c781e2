import { isSchoolDate, mondayOf, schoolMoment, weekdayOf, type SchoolDate } from '#kernel/school-time'
import { isInsideCycle, type CycleDay, type CyclePlan } from './cycle'
import { refusedField } from './refusals'

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
// Refuses typing slips such as year 0026 or 9999.
const plausible = /^2\d{3}-/

export const readStartDate = (text: string, zone: string): SchoolDate | null => {
  if (!plausible.test(text) || !isSchoolDate(text.slice(0, 10))) return null
  if (text.length === 10) return text
  if (!instant.test(text) || Number.isNaN(Date.parse(text))) return null
  return schoolMoment(new Date(text), zone).date
}

const inOrder = (one: CycleDay, other: CycleDay) => one.week - other.week || one.day - other.day

const foldedDays = (days: CycleDay[]): CycleDay[] =>
  [...new Map(days.map((place) => [`${place.week}.${place.day}`, place])).values()].toSorted(inOrder)

/** DESIGN section 7; throws a refusal of this context. */
export const planCycle = (
  wish: { startDate: string; cycleLength: number; blockedDays: CycleDay[] },
  facts: { today: SchoolDate; zone: string },
): CyclePlan => {
  const startDate = readStartDate(wish.startDate, facts.zone)
  if (startDate === null) throw refusedField('start_date_invalid', 'startDate', 'Start date must be a date')
  if (weekdayOf(startDate) !== 1)
    throw refusedField('start_not_monday', 'startDate', 'Cycle must start on a Monday')
  if (startDate < mondayOf(facts.today))
    throw refusedField('start_in_past', 'startDate', 'Cycle cannot start before the current week')
  const outside = wish.blockedDays.find((place) => !isInsideCycle(wish, place))
  if (outside)
    throw refusedField(
      'blocked_day_outside_cycle',
      'blockedDays',
      `Blocked day ${outside.day} of week ${outside.week} lies outside the cycle`,
    )
  return { startDate, cycleLength: wish.cycleLength, blockedDays: foldedDays(wish.blockedDays) }
}
