import type { BlockedDay } from '#contracts/cycles'
import { isDate, mondayOf } from '../cycle-calendar'

/** The steps in their order (administrator.md section 4). */
export const wizardSteps = ['cycle-length', 'start-date', 'blocked-days', 'review'] as const
export type WizardStep = (typeof wizardSteps)[number]

/**
 * `startDate` is a Monday or empty; `typed` what the date field shows, also while a date is only half typed.
 * `snappedFrom` is the picked date that was no Monday, until another one is picked.
 * `asked` is true when Next was pressed on a step that lacks its answer.
 */
export type Wizard = {
  step: WizardStep
  asked: boolean
  cycleLength: 4 | 6 | null
  startDate: string
  typed: string
  snappedFrom: string | null
  blockedDays: BlockedDay[]
}

export const newWizard: Wizard = {
  step: 'cycle-length',
  asked: false,
  cycleLength: null,
  startDate: '',
  typed: '',
  snappedFrom: null,
  blockedDays: [],
}

export type WizardAct =
  | { type: 'length'; weeks: 4 | 6 }
  | { type: 'date'; date: string }
  | { type: 'day'; day: BlockedDay }
  | { type: 'next' }
  | { type: 'back' }
  | { type: 'restart' }

/** What each step of the wizard gets. */
export type StepProps = { wizard: Wizard; act: (act: WizardAct) => void }

const sameDay = (a: BlockedDay) => (b: BlockedDay) => a.week === b.week && a.day === b.day
export const isBlocked = (days: BlockedDay[], day: BlockedDay): boolean => days.some(sameDay(day))

const withDay = (days: BlockedDay[], day: BlockedDay): BlockedDay[] => {
  const rest = days.filter((other) => !sameDay(day)(other))
  const next = rest.length < days.length ? rest : [...days, day]
  return next.toSorted((a, b) => a.week - b.week || a.day - b.day)
}

/** A year of which only the first digits are typed reads as one long past. */
const isWhole = (date: string): boolean => isDate(date) && date >= '2000'

/** A picked date becomes its week's Monday; another start date clears the blocked days. */
const withDate = (wizard: Wizard, picked: string): Wizard => {
  const startDate = isWhole(picked) ? mondayOf(picked) : ''
  return {
    ...wizard,
    startDate,
    typed: startDate || picked,
    snappedFrom: startDate !== '' && startDate !== picked ? picked : null,
    blockedDays: startDate === wizard.startDate ? wizard.blockedDays : [],
  }
}

/** Whether the step has what it needs to go on; the review needs all of it. */
export const stepComplete = (wizard: Wizard, step: WizardStep = wizard.step): boolean => {
  const hasLength = wizard.cycleLength !== null
  const hasDate = wizard.startDate !== ''
  const complete = {
    'cycle-length': hasLength,
    'start-date': hasDate,
    'blocked-days': true,
    review: hasLength && hasDate,
  }
  return complete[step]
}

const moved = (wizard: Wizard, by: 1 | -1): Wizard => {
  if (by === 1 && !stepComplete(wizard)) return { ...wizard, asked: true }
  const step = wizardSteps[wizardSteps.indexOf(wizard.step) + by]
  return step ? { ...wizard, step, asked: false } : wizard
}

export const wizardReducer = (wizard: Wizard, act: WizardAct): Wizard => {
  switch (act.type) {
    case 'length':
      return {
        ...wizard,
        cycleLength: act.weeks,
        blockedDays: wizard.blockedDays.filter((day) => day.week <= act.weeks),
      }
    case 'date':
      return withDate(wizard, act.date)
    case 'day':
      return { ...wizard, blockedDays: withDay(wizard.blockedDays, act.day) }
    case 'next':
      return moved(wizard, 1)
    case 'back':
      return moved(wizard, -1)
    case 'restart':
      return newWizard
  }
}
