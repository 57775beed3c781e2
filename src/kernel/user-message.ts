import type { SchoolDate } from './school-time'

/**
 * What a part of the service tells a user, on whichever channel they chose. `text` is for an e-mail address that was
 * verified, `bareText` for any other: it and the subject hold no text that a stranger may have typed. `short` is the
 * same in one or two sentences, for an SMS; the subject where it is left out. None of them tells a child's health.
 */
export type UserMessage = { subject: string; text: string; bareText: string; short?: string }

const maxDates = 3
const shortDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const inShort = (date: SchoolDate) => shortDay.format(new Date(`${date}T00:00:00Z`)).replace(',', '')

/** Meals on these dates in few characters: "2 meals (Mon 14 Sept, Tue 15 Sept)"; the first three days are named. */
export const mealsInShort = (dates: readonly SchoolDate[]): string => {
  const days = [...new Set(dates)].toSorted()
  const named = days.slice(0, maxDates).map(inShort).join(', ')
  const more = days.length > maxDates ? `, ${days.length - maxDates} more` : ''
  return `${dates.length === 1 ? '1 meal' : `${dates.length} meals`} (${named}${more})`
}
