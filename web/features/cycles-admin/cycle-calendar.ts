const dayMs = 86_400_000

const timeOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** 1 for Monday to 7 for Sunday. `date` is a calendar date, `YYYY-MM-DD`. */
export const weekdayOf = (date: string): number => ((new Date(timeOf(date)).getUTCDay() + 6) % 7) + 1

export const addDays = (date: string, days: number): string => dateOf(timeOf(date) + days * dayMs)

/** The Monday of the week that `date` lies in; a Sunday belongs to the Monday before it. */
export const mondayOf = (date: string): string => addDays(date, 1 - weekdayOf(date))

/** The date of day `day` (1–5) of week `week` (from 1) of a cycle that starts on `startDate`. */
export const cycleDate = (startDate: string, week: number, day: number): string =>
  addDays(startDate, 7 * (week - 1) + (day - 1))

/** The Friday of the last week. */
export const lastDay = (startDate: string, weeks: number): string => cycleDate(startDate, weeks, 5)

/** This week's Monday and the ones after it. */
export const comingMondays = (today: string, count: number): string[] =>
  Array.from({ length: count }, (_, week) => addDays(mondayOf(today), 7 * week))

/** True for a real calendar date written `YYYY-MM-DD`. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(timeOf(text)) && dateOf(timeOf(text)) === text
