import { Map as ImmutableMap } from 'immutable'
import type { MarkResult, StandingMark } from '#contracts/serving'
import type { EventOf } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import * as events from './mark-events'

const markEventTypes = Object.values(events)
export type MarkEvent = EventOf<(typeof markEventTypes)[number]>

/** What the hatch told of a lunch; `by` is a user's id, `deviceAt` the time by the device's clock. */
export type Mark = {
  markId: string
  kind: StandingMark['kind']
  by: number
  deviceAt: string
  note: string | null
}

/** The marks that count: that the lunch was given, and that the child was absent or something was wrong before. */
export type CountedMarks = { given: Mark | null; noticed: Mark | null }

/** The first answer to a mark, with the mark that stood instead. */
export type MarkAnswer = {
  result: Exclude<MarkResult['result'], 'refused'>
  other: Omit<Mark, 'note'> | null
}

/** What was told of an order at the hatch. */
export type LunchMarks = CountedMarks & {
  /** By markId; `undone` ones too. */
  answers: ImmutableMap<string, MarkAnswer & { kind: Mark['kind'] | 'undone' }>
  /** The mark that completed the order, until its status is changed otherwise. */
  completedBy: string | null
  /** The mark that took back that the child is ill, with the credit of that; until the family says so again. */
  absenceEndedBy: { markId: string; credit: Ngwee } | null
}

export const noMarks: LunchMarks = {
  given: null,
  noticed: null,
  answers: ImmutableMap(),
  completedBy: null,
  absenceEndedBy: null,
}

/** What stands of the lunch: that it was given, whatever was told before. */
export const standingOf = ({ given, noticed }: CountedMarks): Mark | null => given ?? noticed

export const isMarkEvent = (event: { type: string }): event is MarkEvent =>
  markEventTypes.some(({ type }) => type === event.type)

/** The marks that count once this is told. */
export const countedAfter = <Counted extends CountedMarks>(marks: Counted, event: MarkEvent): Counted => {
  switch (event.type) {
    case events.lunchGiven.type:
      return { ...marks, given: markOf('given', event.data) }
    case events.absentAtHatch.type:
      return { ...marks, noticed: markOf('absent', event.data) }
    case events.problemAtHatch.type:
      return { ...marks, noticed: markOf('problem', event.data) }
    case events.markUndone.type: {
      const { undoes } = event.data
      return { ...marks, given: unless(undoes, marks.given), noticed: unless(undoes, marks.noticed) }
    }
    case events.markNotKept.type:
      return marks
  }
}

const markOf = (kind: Mark['kind'], data: EventOf<typeof events.lunchGiven>['data']): Mark => {
  const { markId, by, deviceAt, note } = data
  return { markId, kind, by, deviceAt, note }
}

const unless = (undoes: string, mark: Mark | null) => (mark?.markId === undoes ? null : mark)

const kinds = {
  [events.lunchGiven.type]: 'given',
  [events.absentAtHatch.type]: 'absent',
  [events.problemAtHatch.type]: 'problem',
  [events.markUndone.type]: 'undone',
} as const

const answered = (event: MarkEvent): MarkAnswer & { kind: Mark['kind'] | 'undone' } => {
  if (event.type !== events.markNotKept.type) return { kind: kinds[event.type], result: 'kept', other: null }
  const { kind, result, other } = event.data
  return { kind, result, other }
}

/** The same with the answer to the mark, for an order as it was before. */
export const marksAfter = (
  { marks, status, absenceCredit }: { marks: LunchMarks; status: string; absenceCredit: Ngwee | null },
  event: MarkEvent,
): LunchMarks => {
  const { markId } = event.data
  const isGiven = event.type === events.lunchGiven.type
  return {
    ...countedAfter(marks, event),
    answers: marks.answers.set(markId, answered(event)),
    completedBy: isGiven && status === 'pending' ? markId : marks.completedBy,
    absenceEndedBy:
      isGiven && absenceCredit !== null ? { markId, credit: absenceCredit } : marks.absenceEndedBy,
  }
}
