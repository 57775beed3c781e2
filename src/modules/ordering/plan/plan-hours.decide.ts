import type { PlanAt } from '#contracts/plan'
import { addDays, instantAt, mondayOf, schoolMoment, weekdayOf, type SchoolDate } from '#kernel/school-time'

const monday = 1
const tuesday = 2
const thursday = 4
const dayMinutes = 24 * 60

/** Monday of the week that a plan orders at this date: on a Monday the one that begins, else the next. */
export const weekOrderedOn = (date: SchoolDate): SchoolDate =>
  weekdayOf(date) === monday ? date : addDays(mondayOf(date), 7)

export const hourOf = (week: SchoolDate, { day, hour, minute }: PlanAt, zone: string): Date => {
  const weekday = day === 0 ? 7 : day
  const date = weekday === monday ? week : addDays(week, weekday - 8)
  return instantAt(date, hour, minute, zone)
}

/** Minutes from Tuesday 00:00, with which the days of ordering one week begin. */
export const minuteOfWeek = (weekday: number, hour: number, minute: number): number =>
  ((weekday - tuesday + 7) % 7) * dayMinutes + hour * 60 + minute

/** Where the plan's hour has passed, the week after. */
export const firstWeek = (at: PlanAt, now: Date, zone: string): SchoolDate => {
  const week = weekOrderedOn(schoolMoment(now, zone).date)
  return hourOf(week, at, zone) <= now ? addDays(week, 7) : week
}

const beforeCutoffMs = 30 * 60_000

/** `cutoff` is the week's first. Between Thursday noon, or 24 hours before the cutoff, and half an hour before it. */
export const isHourAllowed = (at: PlanAt, week: SchoolDate, cutoff: Date, zone: string): boolean => {
  const hour = hourOf(week, at, zone).getTime()
  const noon = instantAt(addDays(week, thursday - 8), 12, 0, zone).getTime()
  const from = Math.min(noon, cutoff.getTime() - dayMinutes * 60_000)
  return hour >= from && hour <= cutoff.getTime() - beforeCutoffMs
}

export const announcedBeforeMs = 10 * 60_000
const pacedOverMs = 10 * 60_000

/** `announcedAt` null: not yet; `place` of `among` prompts of the hour, from 0. */
type Due = { byPrompt: boolean; announcedAt: Date | null; place: number; among: number }

/** What is done by now. A prompt is announced ten minutes before, and those of one hour are spread over ten minutes. */
export const stepAt = (
  hour: Date,
  { byPrompt, announcedAt, place, among }: Due,
  now: Date,
): 'wait' | 'announce' | 'begin' => {
  const due = hour.getTime()
  if (!byPrompt) return now.getTime() >= due ? 'begin' : 'wait'
  if (!announcedAt) return now.getTime() >= due - announcedBeforeMs ? 'announce' : 'wait'
  const from = Math.max(due, announcedAt.getTime() + announcedBeforeMs)
  return now.getTime() >= from + (pacedOverMs * place) / among ? 'begin' : 'wait'
}

export const daysOfWeek = (week: SchoolDate): SchoolDate[] =>
  [0, 1, 2, 3, 4].map((days) => addDays(week, days))
