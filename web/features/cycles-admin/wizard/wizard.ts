import * as z from 'zod/mini'
import { type BlockedDay, createCycle } from '#contracts/cycles'
import { isDate, mondayOf } from '../cycle-calendar'

/** The steps in their order (administrator.md section 4). */
export const wizardSteps = ['cycle-length', 'start-date', 'blocked-days', 'review'] as const
export type WizardStep = (typeof wizardSteps)[number]

// A year of which only the first digits are typed reads as one long past.
const isWhole = (date: string): boolean => isDate(date) && date >= '2000'

/** The Monday a cycle starts on when `picked` is in the date field; empty while that is no date. */
export const startOf = (picked: string): string => (isWhole(picked) ? mondayOf(picked) : '')

/** The new cycle as it is chosen. `picked` is what was picked as the start date, also where that is no Monday. */
export const newCycle = z.object({
  ...z.pick(createCycle.body, { cycleLength: true, blockedDays: true }).shape,
  picked: z.string().check(z.refine(isWhole, 'Please select a Monday as the start date.')),
})
export type NewCycle = z.input<typeof newCycle>

/** What each step asks for; a step is left when its value is valid. */
export const fieldOf = {
  'cycle-length': 'cycleLength',
  'start-date': 'picked',
  'blocked-days': 'blockedDays',
} as const satisfies Partial<Record<WizardStep, keyof NewCycle>>

const sameDay = (a: BlockedDay) => (b: BlockedDay) => a.week === b.week && a.day === b.day
export const isBlocked = (days: readonly BlockedDay[], day: BlockedDay): boolean => days.some(sameDay(day))

/** The blocked days with this one blocked, or freed again, in the order of the calendar. */
export const withDay = (days: readonly BlockedDay[], day: BlockedDay): BlockedDay[] => {
  const rest = days.filter((other) => !sameDay(day)(other))
  const next = rest.length < days.length ? rest : [...days, day]
  return next.toSorted((a, b) => a.week - b.week || a.day - b.day)
}

/** The blocked days that a cycle of so many weeks has. */
export const withinWeeks = (days: readonly BlockedDay[], weeks: number): BlockedDay[] =>
  days.filter(({ week }) => week <= weeks)
