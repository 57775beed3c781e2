import type { WeekState } from '#contracts/plan'
import { eventReader, type Decider, type EventOf } from '#kernel/event'
import { addDays, type SchoolDate } from '#kernel/school-time'
import * as events from './events'
import type { FamilyPlan, PlannedWeek } from './events'

export const planEventTypes = Object.values(events)
export type PlanEvent = EventOf<(typeof planEventTypes)[number]>

/** `number`: its tries, 0 while it is only announced; `since` the last began. */
export type WeekKept = PlannedWeek & { number: number; since: string; state: WeekState }

export type Skipped = { studentId: number; date: SchoolDate }

export type PlanState = {
  plan: FamilyPlan | null
  paused: boolean
  skipped: readonly Skipped[]
  fromWeek: SchoolDate | null
  announced: { week: SchoolDate; at: string } | null
  unpaidInARow: number
  /** Newest first. */
  weeks: readonly WeekKept[]
}

const maxWeeks = 12
const skipsKeptDays = 14

export const noPlan: PlanState = {
  plan: null,
  paused: false,
  skipped: [],
  fromWeek: null,
  announced: null,
  unpaidInARow: 0,
  weeks: [],
}

export const evolvePlan = (known: PlanState, event: PlanEvent): PlanState => {
  switch (event.type) {
    case events.planSet.type: {
      const { plan, paused, fromWeek } = event.data
      const goesOn = known.paused && !paused
      return { ...known, plan, paused, fromWeek, unpaidInARow: goesOn ? 0 : known.unpaidInARow }
    }
    case events.planPaused.type: {
      const { paused, fromWeek } = event.data
      return paused ? { ...known, paused } : { ...known, paused, fromWeek, unpaidInARow: 0 }
    }
    case events.planEnded.type:
      return { ...noPlan, weeks: known.weeks.filter(({ state }) => state !== 'announced') }
    case events.planDaySkipped.type:
      return { ...known, skipped: skippedAfter(known.skipped, event.data) }
    case events.planWeekAnnounced.type: {
      const { week, at } = event.data
      return {
        ...withWeek(known, { ...weekIn(event.data), number: 0, since: at, state: 'announced' }),
        announced: { week, at },
      }
    }
    case events.planWeekBegun.type:
      return withWeek(known, weekBegun(event.data))
    case events.planWeekTurned.type:
      return turned(known, event.data)
  }
}

const skippedAfter = (
  before: readonly Skipped[],
  { studentId, date, skip, at }: EventOf<typeof events.planDaySkipped>['data'],
): Skipped[] => {
  const oldest = addDays(at.slice(0, 10), -skipsKeptDays)
  const others = before.filter((one) => one.date >= oldest && !isSameDay(one, { studentId, date }))
  return skip ? [...others, { studentId, date }] : others
}

const isSameDay = (one: Skipped, other: Skipped) =>
  one.studentId === other.studentId && one.date === other.date

const weekIn = ({ week, dueAt, pay, lines, left, credit }: PlannedWeek): PlannedWeek => ({
  week,
  dueAt,
  pay,
  lines,
  left,
  credit,
})

const weekBegun = (data: EventOf<typeof events.planWeekBegun>['data']): WeekKept => ({
  ...weekIn(data),
  number: data.number,
  since: data.at,
  state: 'waiting',
})

const withWeek = (known: PlanState, kept: WeekKept): PlanState => ({
  ...known,
  weeks: [kept, ...known.weeks.filter(({ week }) => week !== kept.week)]
    .toSorted((one, other) => other.week.localeCompare(one.week))
    .slice(0, maxWeeks),
})

const turned = (
  known: PlanState,
  { week, state }: EventOf<typeof events.planWeekTurned>['data'],
): PlanState => {
  const before = weekOf(known, week)
  if (!before) return known
  const after = withWeek(known, { ...before, state })
  if (state === 'ordered') return { ...after, unpaidInARow: 0 }
  return state === 'not_paid' ? { ...after, unpaidInARow: known.unpaidInARow + 1 } : after
}

export const weekOf = ({ weeks }: PlanState, week: SchoolDate): WeekKept | undefined =>
  weeks.find((one) => one.week === week)

/** `hour`: once a week. `press`: also what was not paid, failed or had nothing. `again`: what is begun, with other lines. */
type Begin = {
  kind: 'begin'
  why: 'hour' | 'press' | 'again'
  planned: PlannedWeek
  /** No checkout of the last try was stored. */
  sameTry?: boolean
}

export type PlanCommand = { userId: number; now: Date } & (
  | { kind: 'set'; plan: FamilyPlan; paused: boolean; fromWeek: SchoolDate }
  | { kind: 'pause'; paused: boolean; by: 'family' | 'office'; fromWeek: SchoolDate }
  | { kind: 'end' }
  | { kind: 'skip'; studentId: number; date: SchoolDate; skip: boolean }
  | { kind: 'announce'; planned: PlannedWeek }
  | Begin
  | { kind: 'turn'; week: SchoolDate; state: Exclude<WeekState, 'announced'> }
)

const weeksUntilPause = 3

/** What is so already needs no event. */
const decide = (command: PlanCommand, known: PlanState): PlanEvent[] => {
  const about = { userId: command.userId, at: command.now.toISOString() }
  switch (command.kind) {
    case 'set': {
      const { plan, paused } = command
      if (known.paused === paused && isSame(known.plan, plan)) return []
      return [events.planSet({ ...about, plan, paused, fromWeek: fromWeekAfter(command, known) })]
    }
    case 'pause': {
      const { paused, by, fromWeek } = command
      return known.plan === null || known.paused === paused
        ? []
        : [events.planPaused({ ...about, paused, by, fromWeek })]
    }
    case 'end':
      return known.plan === null ? [] : [events.planEnded(about)]
    case 'skip': {
      const { studentId, date, skip } = command
      const isSkipped = known.skipped.some((one) => isSameDay(one, { studentId, date }))
      return isSkipped === skip ? [] : [events.planDaySkipped({ ...about, studentId, date, skip })]
    }
    case 'announce':
      return weekOf(known, command.planned.week)
        ? []
        : [events.planWeekAnnounced({ ...about, ...command.planned })]
    case 'begin':
      return begin(command, known, about)
    case 'turn':
      return turn(command, known, about)
  }
}

/** A changed hour that has passed waits for the next week, unless this one was announced. */
const fromWeekAfter = (
  { plan, paused, fromWeek }: Extract<PlanCommand, { kind: 'set' }>,
  known: PlanState,
): SchoolDate => {
  if (known.plan === null || known.fromWeek === null) return fromWeek
  const isAnnounced = known.announced !== null && known.announced.week >= known.fromWeek
  const isHourKept = isSame(known.plan.at, plan.at) && !(known.paused && !paused)
  return isAnnounced || isHourKept ? known.fromWeek : fromWeek
}

type About = { userId: number; at: string }

const begin = ({ why, planned, sameTry }: Begin, known: PlanState, about: About): PlanEvent[] => {
  const before = weekOf(known, planned.week)
  const state = before?.state
  if (known.plan === null || !mayBegin(why, state)) return []
  const tries = before?.number ?? 0
  const number = sameTry ? tries : tries + 1
  const begun = events.planWeekBegun({ ...about, ...planned, number })
  return planned.lines.length > 0
    ? [begun]
    : [begun, events.planWeekTurned({ ...about, week: planned.week, state: 'nothing' })]
}

const mayBegin = (why: Begin['why'], state: WeekState | undefined): boolean => {
  const isNew = state === undefined || state === 'announced'
  if (why === 'again') return state === 'waiting'
  return isNew || (why === 'press' && state !== 'waiting' && state !== 'ordered')
}

const turn = (
  { week, state }: Extract<PlanCommand, { kind: 'turn' }>,
  known: PlanState,
  about: About,
): PlanEvent[] => {
  const before = weekOf(known, week)
  if (!before || before.state === state) return []
  const after = events.planWeekTurned({ ...about, week, state })
  const isThird = state === 'not_paid' && known.unpaidInARow + 1 >= weeksUntilPause
  return isThird && known.plan !== null && !known.paused
    ? [after, events.planPaused({ ...about, paused: true, by: 'system', fromWeek: week })]
    : [after]
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** `plan-<userId>`. */
export const familyPlan: Decider<PlanState, PlanCommand, PlanEvent> & {
  streamOf: (userId: number) => string
  read: (stored: { type: string; data: unknown }) => PlanEvent | null
} = {
  initial: noPlan,
  evolve: evolvePlan,
  decide,
  streamOf: (userId) => `plan-${userId}`,
  read: eventReader(...planEventTypes),
}
