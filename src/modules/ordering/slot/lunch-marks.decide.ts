import type { SentMark } from '#contracts/serving'
import { refusal } from '../refusals'
import { absenceMarked, absenceTakenBack, orderCompleted, orderReopened } from './events'
import { isActive, orderOf } from './order-in-slot.decide'
import {
  effectiveMark,
  absentAtHatch,
  lunchGiven,
  markNotKept,
  markUndone,
  problemAtHatch,
  type LunchMarks,
  type Mark,
} from './lunch-marks'
import type { MealSlot, SlotEvent } from './meal-slot'

export type MarkLunch = {
  kind: 'mark'
  mark: Pick<SentMark, 'markId' | 'orderId' | 'kind'> &
    Pick<Mark, 'by' | 'deviceAt' | 'note'> & {
      undoes: string | null
    }
  dayStartsAt: Date
  now: Date
}

type Order = ReturnType<typeof orderOf>
type NotKept = { result: 'already' | 'conflict'; other?: Mark | null }

const weekMs = 7 * 86_400_000

const maxMarks = 50

/** Throws `order_not_found`, `order_cancelled`, `day_not_come`, `too_old`, `before_its_day`, `mark_not_found`, `too_many_marks`. */
export const markLunch = (command: MarkLunch, slot: MealSlot): SlotEvent[] => {
  const { mark, now } = command
  const order = orderOf(slot, mark.orderId)
  if (order.marks.answers.has(mark.markId)) return []
  const refused = refusedCode(order, command)
  if (refused) throw refusal(refused)
  const at = now.toISOString()
  const { orderId, markId, by, note, deviceAt } = mark
  const told = { orderId, userId: order.userId, markId, by, note, deviceAt, at }
  const notKept = notKeptBy(mark, order.marks)
  if (notKept) return [markNotKept({ ...told, ...answerOf(mark, notKept) })]
  switch (mark.kind) {
    case 'given':
      return [
        lunchGiven(told),
        ...(order.status === 'pending' ? [orderCompleted({ orderId, at })] : []),
        ...(order.absenceCredit !== null ? [absenceTakenBack({ orderId, at })] : []),
      ]
    case 'absent':
      return [absentAtHatch(told)]
    case 'problem':
      return [problemAtHatch(told)]
    case 'undone': {
      const undoes = mark.undoes!
      const reopens = order.status === 'completed' && order.marks.completedBy === undoes
      const { absenceEndedBy: ended } = order.marks
      return [
        markUndone({ ...told, undoes }),
        ...(reopens ? [orderReopened({ orderId, at })] : []),
        ...(ended?.markId === undoes ? [absenceMarked({ orderId, credit: ended.credit, at })] : []),
      ]
    }
  }
}

/** Device clocks may be wrong: they do not prove that the day has come, and future marks are accepted. */
const refusedCode = ({ marks, ...order }: Order, { mark, dayStartsAt, now }: MarkLunch) => {
  if (!isActive(order)) return 'order_cancelled'
  if (now < dayStartsAt) return 'day_not_come'
  const deviceAt = new Date(mark.deviceAt)
  if (deviceAt.getTime() < now.getTime() - weekMs) return 'too_old'
  if (deviceAt < dayStartsAt) return 'before_its_day'
  if (mark.kind === 'undone' && !undoableOf(mark.undoes, marks)) return 'mark_not_found'
  return marks.answers.size >= maxMarks ? 'too_many_marks' : null
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
