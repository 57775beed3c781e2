import type { SentMark } from '#contracts/serving'
import { refusal } from '../refusals'
import { absenceMarked, absenceTakenBack, orderCancelled, orderCompleted, orderReopened } from './events'
import {
  effectiveMark,
  absentAtHatch,
  lunchGiven,
  markNotKept,
  markUndone,
  problemAtHatch,
  type LunchMarks,
  type Mark,
  type MarkAnswer,
} from './lunch-marks'
import {
  isActive,
  isAway,
  standingOrder,
  type MealSlot,
  type SlotEvent,
  latestOrder,
  orderOf,
} from './meal-slot'

export type MarkLunch = {
  kind: 'mark'
  mark: Pick<SentMark, 'markId' | 'orderId' | 'kind'> &
    Pick<Mark, 'by' | 'deviceAt' | 'note'> & {
      undoes: string | null
      session: string | null
      /** What the hatch knows the order by, where that is another id. */
      shownAs?: string
    }
  dayStartsAt: Date
  /** What was given for a cancelled order cannot be taken back. */
  moneyStays?: boolean
  now: Date
}

type Order = ReturnType<typeof orderOf>
type NotKept = { result: 'already' | 'conflict'; other?: Mark | null }

const weekMs = 7 * 86_400_000

const hourMs = 3_600_000
const maxMarks = 50
const maxMarksOfSession = 20
/** Later ones are answered as they are judged, and not stored. */
const maxAnswersStored = 50

/** Throws `order_not_found`, `order_cancelled`, `day_not_come`, `too_old`, `before_its_day`, `mark_not_found`, `too_many_marks`. */
export const markLunch = (command: MarkLunch, slot: MealSlot): SlotEvent[] => {
  const { mark, moneyStays = false, now } = command
  const order = orderOf(slot, mark.orderId)
  if (order.marks.answers.has(mark.markId)) return []
  const refused = refusedCode(order, command, slot)
  if (refused) throw refusal(refused)
  const at = now.toISOString()
  const { orderId, markId, by, note, deviceAt, session } = mark
  const told = { orderId, userId: order.user_id, markId, by, note, deviceAt, ...(session && { session }), at }
  const notKept = notKeptBy(mark, order.marks)
  if (notKept) return isStored(order.marks) ? [markNotKept({ ...told, ...answerOf(mark, notKept) })] : []
  if (isMarkedTooOften(order.marks, command)) throw refusal('too_many_marks')
  switch (mark.kind) {
    case 'given':
      if (!isActive(order)) return givenAfterAll(order, told, moneyStays)
      return [
        lunchGiven(told),
        ...(order.status === 'pending' ? [orderCompleted({ orderId, at })] : []),
        ...(order.absent ? [absenceTakenBack({ orderId, at })] : []),
      ]
    case 'absent':
      return [absentAtHatch(told)]
    case 'problem':
      return [problemAtHatch(told)]
    case 'undone':
      return undone(order, { ...told, undoes: mark.undoes! })
  }
}

/** The order stands again, so that its money is not owed back; one that was paid back only keeps the mark. */
const givenAfterAll = (
  { status, refundBegun, remedy, lapsed, closure_id: closureId, actId, absent }: Order,
  told: Parameters<typeof lunchGiven>[0],
  moneyStays: boolean,
): SlotEvent[] => {
  if (status !== 'cancelled' || refundBegun || moneyStays) return [lunchGiven(told)]
  const { orderId, at } = told
  const cancelled = {
    by: lapsed ? ('system' as const) : ('administrator' as const),
    ...(remedy === 'credit' && { remedy: 'credit' as const }),
    ...(closureId && { closureId }),
    ...(actId && { actId }),
  }
  return [
    orderReopened({ orderId, at }),
    lunchGiven({ ...told, cancelled }),
    orderCompleted({ orderId, at }),
    ...(absent ? [absenceTakenBack({ orderId, at })] : []),
  ]
}

/** Given after all, or what was given so taken back; not while another lunch of the child stands for the day (of a moved one its money stays). */
const isOfCancelled = (order: Order, { kind }: Pick<SentMark, 'kind'>, slot: MealSlot): boolean =>
  order.cancelled_late &&
  (kind === 'given' || kind === 'undone') &&
  (isAway(order) || (!standingOrder(slot) && !slot.reservation && latestOrder(slot)?.id === order.id))

const undone = (order: Order, told: Parameters<typeof markUndone>[0]): SlotEvent[] => {
  const { orderId, undoes, at } = told
  const isCompletedBy = order.status === 'completed' && order.marks.completedBy === undoes
  const { absenceEndedBy: ended, cancelledBefore } = order.marks
  const absence = ended?.markId === undoes ? [absenceMarked({ orderId, credit: ended.credit, at })] : []
  if (!isCompletedBy || cancelledBefore?.markId !== undoes)
    return [markUndone(told), ...(isCompletedBy ? [orderReopened({ orderId, at })] : []), ...absence]
  const { markId: _mark, ...cancelled } = cancelledBefore
  return [markUndone(told), ...absence, orderCancelled({ orderId, ...cancelled, afterCutoff: true, at })]
}

/** `of` made the marks. `markIds` become those of the taking back: a lunch has two marks at most. */
export type TakeMarksBack = {
  kind: 'take-marks-back'
  orderId: string
  of: number
  by: number
  markIds: readonly [string, string]
  now: Date
}

/** Whatever else the author told of the lunch does not count either, so that one may be named that does not stand. */
export const takeMarksBack = (
  { orderId, of, by, markIds, now }: TakeMarksBack,
  slot: MealSlot,
): SlotEvent[] => {
  const order = orderOf(slot, orderId)
  const { given, noticed, answers } = order.marks
  const standing = [given, noticed].flatMap((mark) => (mark?.by === of ? [mark.markId] : []))
  const told = [...answers].flatMap(([markId, answer]) =>
    isCounted(answer) && answer.by === of ? [markId] : [],
  )
  const at = now.toISOString()
  const facts = { orderId, userId: order.user_id, by, note: null, deviceAt: at, byOffice: true as const, at }
  return (standing.length > 0 ? standing : told.toSorted().slice(-1)).flatMap((undoes, index) =>
    undone(order, { ...facts, markId: markIds[index]!, undoes }),
  )
}

/** What was answered to a mark; what is answered to one that is not stored. */
export const answerToMark = (slot: MealSlot, mark: MarkLunch['mark']): MarkAnswer => {
  const { marks } = orderOf(slot, mark.orderId)
  const { result, other } = marks.answers.get(mark.markId) ?? answerOf(mark, notKeptBy(mark, marks)!)
  return { result, other }
}

const isCounted = ({ result, isTakenBack }: { result: string; isTakenBack: boolean }): boolean =>
  result === 'kept' && !isTakenBack

const isStored = ({ answers }: LunchMarks): boolean =>
  answers.count(({ result }) => result !== 'kept') < maxAnswersStored

const isMarkedTooOften = ({ answers }: LunchMarks, { mark: { session }, now }: MarkLunch): boolean => {
  const hourAgo = new Date(now.getTime() - hourMs).toISOString()
  const ofSession = answers.count(
    ({ result, at, ...told }) => result === 'kept' && told.session === session && at > hourAgo,
  )
  return answers.count(isCounted) >= maxMarks || (session !== null && ofSession >= maxMarksOfSession)
}

/** Device clocks may be wrong: they do not prove that the day has come, and future marks are accepted. */
const refusedCode = (order: Order, { mark, dayStartsAt, now }: MarkLunch, slot: MealSlot) => {
  const { marks } = order
  if (order.kitchen_id !== (mark.shownAs ?? order.id)) return 'order_cancelled'
  if (!isActive(order) && !isOfCancelled(order, mark, slot)) return 'order_cancelled'
  if (now < dayStartsAt) return 'day_not_come'
  const deviceAt = new Date(mark.deviceAt)
  if (deviceAt.getTime() < now.getTime() - weekMs) return 'too_old'
  if (deviceAt < dayStartsAt) return 'before_its_day'
  return mark.kind === 'undone' && !undoableOf(mark.undoes, marks) ? 'mark_not_found' : null
}

const undoableOf = (undoes: string | null, { answers }: LunchMarks) => {
  const undone = undoes === null ? undefined : answers.get(undoes)
  return undone?.kind === 'undone' ? undefined : undone
}

/** Null when it counts; "given" always does. */
const notKeptBy = (
  { kind, undoes }: Pick<MarkLunch['mark'], 'kind' | 'undoes'>,
  marks: LunchMarks,
): NotKept | null => {
  if (kind === 'undone') return notUndoneBy(undoes, marks)
  const standing = effectiveMark(marks)
  if (!standing || (kind === 'given' && standing.kind !== 'given')) return null
  return { result: standing.kind === kind ? 'already' : 'conflict', other: standing }
}

/** A mark beaten by "given" is removed like one in force. */
const notUndoneBy = (undoes: string | null, marks: LunchMarks): NotKept | null => {
  if (marks.given?.markId === undoes || marks.noticed?.markId === undoes) return null
  const standing = effectiveMark(marks)
  return undoableOf(undoes, marks)?.result !== 'kept' && standing
    ? { result: 'conflict', other: standing }
    : { result: 'already' }
}

const answerOf = (
  { kind, undoes }: Pick<MarkLunch['mark'], 'kind' | 'undoes'>,
  { result, other = null }: NotKept,
) => ({
  kind,
  undoes,
  result,
  other: other && { markId: other.markId, kind: other.kind, by: other.by, deviceAt: other.deviceAt },
})
