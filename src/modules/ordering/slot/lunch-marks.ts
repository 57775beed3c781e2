import { Map as ImmutableMap } from 'immutable'
import type { MarkResult, CurrentMark } from '#contracts/serving'
import type { EventOf } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import * as events from './mark-events'

const markEventTypes = Object.values(events)
export type MarkEvent = EventOf<(typeof markEventTypes)[number]>

export type Mark = {
  markId: string
  kind: CurrentMark['kind']
  by: number
  deviceAt: string
  note: string | null
}

export type CountedMarks = { given: Mark | null; noticed: Mark | null }

export type MarkAnswer = {
  result: Exclude<MarkResult['result'], 'refused'>
  other: Omit<Mark, 'note'> | null
}

export type LunchMarks = CountedMarks & {
  answers: ImmutableMap<string, MarkAnswer & { kind: Mark['kind'] | 'undone' }>
  /** The mark that completed the order; null once the status changes otherwise. */
  completedBy: string | null
  absenceEndedBy: { markId: string; credit: Ngwee } | null
}

export const noMarks: LunchMarks = {
  given: null,
  noticed: null,
  answers: ImmutableMap(),
  completedBy: null,
  absenceEndedBy: null,
}

/** "Given" wins over earlier marks. */
export const effectiveMark = ({ given, noticed }: CountedMarks): Mark | null => given ?? noticed

export const isMarkEvent = (event: { type: string }): event is MarkEvent =>
  markEventTypes.some(({ type }) => type === event.type)

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
