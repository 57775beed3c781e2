import type { SchoolDate } from './school-time'

export type UserMessage = { subject: string; text: string; bareText: string; short?: string }

const maxDates = 3
const shortDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const inShort = (date: SchoolDate) => shortDay.format(new Date(`${date}T00:00:00Z`)).replace(',', '')

export const mealsInShort = (dates: readonly SchoolDate[]): string => {
  const days = [...new Set(dates)].toSorted()
  const named = days.slice(0, maxDates).map(inShort).join(', ')
  const more = days.length > maxDates ? `, ${days.length - maxDates} more` : ''
  return `${dates.length === 1 ? '1 meal' : `${dates.length} meals`} (${named}${more})`
}
