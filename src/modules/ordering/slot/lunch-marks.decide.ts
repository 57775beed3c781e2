import type { SentMark } from '#contracts/serving'
import { orderCompleted, orderReopened } from './events'
import { isActive, orderOf } from './known-order.decide'
import { standingOf, type LunchMarks, type Mark } from './lunch-marks'
import * as events from './mark-events'
import type { MealSlot, SlotEvent } from './meal-slot'

/** `by` tells something of an order at the hatch; `dayStartsAt`: the first instant of the lunch's date. */
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
type NotKept = { result: 'already' | 'conflict' | 'refused'; code?: string | null; other?: Mark | null }

const weekMs = 7 * 86_400_000

/** What is decided about a mark; one that was told before changes nothing. Throws `order_not_found`. */
export const markLunch = (command: MarkLunch, slot: MealSlot): SlotEvent[] => {
  const { mark, now } = command
  const order = orderOf(slot, mark.orderId)
  if (order.marks.answers.has(mark.markId)) return []
  const at = now.toISOString()
  const { orderId, markId, by, note, deviceAt } = mark
  const told = { orderId, userId: order.userId, markId, by, note, deviceAt, at }
  const refused = refusedCode(order, command)
  const notKept = refused ? { result: 'refused' as const, code: refused } : notKeptBy(mark, order.marks)
  if (notKept) return [events.markNotKept({ ...told, ...answerOf(mark, notKept) })]
  switch (mark.kind) {
    case 'given':
      return [
        events.lunchGiven(told),
        ...(order.status === 'pending' ? [orderCompleted({ orderId, at })] : []),
      ]
    case 'absent':
      return [events.absentAtHatch(told)]
    case 'problem':
      return [events.problemAtHatch(told)]
    case 'undone': {
      const undoes = mark.undoes!
      const reopens = order.status === 'completed' && order.marks.completedBy === undoes
      return [events.markUndone({ ...told, undoes }), ...(reopens ? [orderReopened({ orderId, at })] : [])]
    }
  }
}

/** A device's clock may be wrong: a mark of the future is kept. */
const refusedCode = (order: Order, { mark, dayStartsAt, now }: MarkLunch): string | null => {
  if (!isActive(order)) return 'order_cancelled'
  const deviceAt = new Date(mark.deviceAt)
  if (deviceAt.getTime() < now.getTime() - weekMs) return 'too_old'
  return deviceAt < dayStartsAt ? 'before_its_day' : null
}

/** Why a mark changes nothing; null when it counts. Giving out counts whatever else was told. */
const notKeptBy = (
  { kind, undoes }: Pick<MarkLunch['mark'], 'kind' | 'undoes'>,
  marks: LunchMarks,
): NotKept | null => {
  if (kind === 'undone') return notUndoneBy(undoes, marks)
  const standing = standingOf(marks)
  if (!standing || (kind === 'given' && standing.kind !== 'given')) return null
  return { result: standing.kind === kind ? 'already' : 'conflict', other: standing }
}

/** A mark that was beaten when the lunch was given is taken out like one that stands. */
const notUndoneBy = (undoes: string | null, marks: LunchMarks): NotKept | null => {
  const undone = undoes === null ? undefined : marks.answers.get(undoes)
  if (!undone || undone.kind === 'undone') return { result: 'refused', code: 'mark_not_found' }
  if (marks.given?.markId === undoes || marks.noticed?.markId === undoes) return null
  const standing = standingOf(marks)
  // What was kept once and does not count any more was taken back.
  return undone.result !== 'kept' && standing
    ? { result: 'conflict', other: standing }
    : { result: 'already' }
}

const answerOf = (
  { kind, undoes }: Pick<MarkLunch['mark'], 'kind' | 'undoes'>,
  { result, code = null, other = null }: NotKept,
) => ({
  kind,
  undoes,
  result,
  code,
  other: other && { markId: other.markId, kind: other.kind, by: other.by, deviceAt: other.deviceAt },
})
