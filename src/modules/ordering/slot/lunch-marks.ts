import { Map as ImmutableMap } from 'immutable'
import { z } from 'zod'
import { markKinds, type MarkResult, type CurrentMark } from '#contracts/serving'
import { eventType, type EventOf } from '#kernel/event'
import { orderId, rowId } from '#kernel/id'
import { remedies, type Ngwee } from '#kernel/money'

const markId = z.uuid()

/** `at` is arrival; `userId` owns the order; `session` is the device's, by its id. */
const told = z.strictObject({
  orderId,
  userId: rowId,
  markId,
  by: rowId,
  note: z.string().nullable(),
  deviceAt: z.iso.datetime(),
  session: z.uuid().optional(),
  at: z.iso.datetime(),
})

/** The lunch was given out at the hatch. `cancelled`: how it had been cancelled, after its cutoff; it stands again. */
export const lunchGiven = eventType(
  'ordering.lunch-given.v1',
  z.strictObject({
    ...told.shape,
    cancelled: z
      .strictObject({
        by: z.enum(['administrator', 'system']),
        remedy: z.enum(remedies).optional(),
        closureId: z.uuid().optional(),
        actId: z.uuid().optional(),
      })
      .optional(),
  }),
)
/** The hatch says that the child did not come for the lunch. */
export const absentAtHatch = eventType('ordering.absent-at-hatch.v1', told)
/** The hatch says that something is wrong with the lunch; `note` says what. */
export const problemAtHatch = eventType('ordering.problem-at-hatch.v1', told)
/** The mark `undoes` does not count any more. `byOffice`: nor does anything else that its author told of the lunch. */
export const markUndone = eventType(
  'ordering.mark-undone.v1',
  z.strictObject({ ...told.shape, undoes: markId, byOffice: z.literal(true).optional() }),
)
/** A mark that changed nothing: `result` was answered to it, with the mark that stood (`other`). */
export const markNotKept = eventType(
  'ordering.mark-not-kept.v1',
  z.strictObject({
    ...told.shape,
    kind: z.enum([...markKinds, 'undone']),
    undoes: markId.nullable(),
    result: z.enum(['already', 'conflict']),
    other: z
      .strictObject({ markId, kind: z.enum(markKinds), by: rowId, deviceAt: z.iso.datetime() })
      .nullable(),
  }),
)

export const markEventTypes = [lunchGiven, absentAtHatch, problemAtHatch, markUndone, markNotKept] as const
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

type AnsweredMark = MarkAnswer & {
  kind: Mark['kind'] | 'undone'
  by: number
  session: string | null
  at: string
  /** The office has taken it back: it does not count to what a lunch keeps. */
  isTakenBack: boolean
}

type Cancelled = NonNullable<EventOf<typeof lunchGiven>['data']['cancelled']>

export type LunchMarks = CountedMarks & {
  answers: ImmutableMap<string, AnsweredMark>
  /** The mark that completed the order; null once the status changes otherwise. */
  completedBy: string | null
  absenceEndedBy: { markId: string; credit: Ngwee } | null
  cancelledBefore: ({ markId: string } & Cancelled) | null
}

export const noMarks: LunchMarks = {
  given: null,
  noticed: null,
  answers: ImmutableMap(),
  completedBy: null,
  absenceEndedBy: null,
  cancelledBefore: null,
}

/** "Given" wins over earlier marks. */
export const effectiveMark = ({ given, noticed }: CountedMarks): Mark | null => given ?? noticed

const markTypes: ReadonlySet<string> = new Set(markEventTypes.map(({ type }) => type))

export const isMarkEvent = (event: { type: string }): event is MarkEvent => markTypes.has(event.type)

export const countedAfter = <Counted extends CountedMarks>(marks: Counted, event: MarkEvent): Counted => {
  switch (event.type) {
    case lunchGiven.type:
      return { ...marks, given: markOf('given', event.data) }
    case absentAtHatch.type:
      return { ...marks, noticed: markOf('absent', event.data) }
    case problemAtHatch.type:
      return { ...marks, noticed: markOf('problem', event.data) }
    case markUndone.type: {
      const { undoes } = event.data
      return { ...marks, given: unless(undoes, marks.given), noticed: unless(undoes, marks.noticed) }
    }
    case markNotKept.type:
      return marks
  }
}

const markOf = (kind: Mark['kind'], data: EventOf<typeof lunchGiven>['data']): Mark => {
  const { markId, by, deviceAt, note } = data
  return { markId, kind, by, deviceAt, note }
}

const unless = (undoes: string, mark: Mark | null) => (mark?.markId === undoes ? null : mark)

const kinds = {
  [lunchGiven.type]: 'given',
  [absentAtHatch.type]: 'absent',
  [problemAtHatch.type]: 'problem',
  [markUndone.type]: 'undone',
} as const

const answered = (event: MarkEvent): AnsweredMark => {
  const { by, session = null, at } = event.data
  const told = { by, session, at, isTakenBack: isByOffice(event) }
  if (event.type !== markNotKept.type)
    return { ...told, kind: kinds[event.type], result: 'kept', other: null }
  const { kind, result, other } = event.data
  return { ...told, kind, result, other }
}

const isByOffice = (event: MarkEvent) => event.type === markUndone.type && event.data.byOffice === true

const answersAfter = (answers: LunchMarks['answers'], event: MarkEvent): LunchMarks['answers'] => {
  const after = answers.set(event.data.markId, answered(event))
  if (event.type !== markUndone.type || !event.data.byOffice) return after
  const author = answers.get(event.data.undoes)?.by
  return after.map((one) => (one.by === author ? { ...one, isTakenBack: true } : one))
}

export const marksAfter = (
  order: { marks: LunchMarks; status: string; absent: boolean; absence_credit: Ngwee },
  event: MarkEvent,
): LunchMarks => {
  const { marks, status, absent, absence_credit: credit } = order
  const { markId } = event.data
  const isGiven = event.type === lunchGiven.type
  return {
    ...countedAfter(marks, event),
    answers: answersAfter(marks.answers, event),
    completedBy: isGiven && status === 'pending' ? markId : marks.completedBy,
    cancelledBefore:
      event.type === lunchGiven.type && event.data.cancelled
        ? { markId, ...event.data.cancelled }
        : marks.cancelledBefore,
    absenceEndedBy: isGiven && absent ? { markId, credit } : marks.absenceEndedBy,
  }
}
