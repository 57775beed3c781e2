import { refusal } from '../refusals'
import { ordersOf, toPayOf, type MealSlot, type SlotEvent } from './meal-slot'
import type { Ngwee } from '#kernel/money'
import {
  orderPaymentConfirmed,
  orderPaymentUndone,
  orderReopened,
  absenceMarked,
  absenceTakenBack,
  orderCompleted,
} from './events'
import type { SentMark } from '#contracts/serving'
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

type KnownOrder = ReturnType<typeof ordersOf>[number]

export const orderOf = (slot: MealSlot, orderId: string) => {
  const known = ordersOf(slot).find(({ id }) => id === orderId)
  if (!known || known.status === 'withdrawn') throw refusal('order_not_found')
  return { ...known, status: known.status }
}

/** `isGuardian`: of the order's child. `hasMoved`: the child has other guardians. */
export type FamilyMember = { userId: number; isGuardian?: boolean; hasMoved?: boolean }

/** A child without guardians stays with the payer. */
export const hasMovedFrom = (userId: number, guardians: readonly number[] = []): boolean =>
  guardians.length > 0 && !guardians.includes(userId)

export const familyMember = (userId: number, guardians: readonly number[] = []): FamilyMember => ({
  userId,
  isGuardian: guardians.includes(userId),
  hasMoved: hasMovedFrom(userId, guardians),
})

/** An order goes with its child. */
export const isTheirs = (
  known: { userId: number },
  { userId, isGuardian, hasMoved }: FamilyMember,
): boolean => isGuardian === true || (known.userId === userId && hasMoved !== true)

/** For guardians, or the payer of a child without any; otherwise not found. */
export const ownOrder = (slot: MealSlot, orderId: string, member: FamilyMember) => {
  const known = orderOf(slot, orderId)
  if (!isTheirs(known, member)) throw refusal('order_not_found')
  return known
}

export const isActive = <Known extends { status: KnownOrder['status'] }>(
  known: Known,
): known is Known & { status: 'pending' | 'completed' } =>
  known.status === 'pending' || known.status === 'completed'

export const closedOrderCode = ({ status }: { status: KnownOrder['status'] }) =>
  status === 'refunded' ? 'already_refunded' : 'already_cancelled'

/** Transfers pay `amount`; the first is recorded. `restorable`: restores a lapsed order. */
export type ConfirmPayment = {
  kind: 'confirm-payment'
  orderId: string
  transferIds: readonly [string, ...string[]]
  amount: Ngwee
  restorable: boolean
  byHand: boolean
  now: Date
}
export type UndoPayment = {
  kind: 'undo-payment'
  orderId: string
  transferIds: readonly string[]
  now: Date
}

export const confirmPayment = (
  { orderId, transferIds, amount, restorable, byHand, now }: ConfirmPayment,
  slot: MealSlot,
): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  if (known.paidBy !== null && transferIds.includes(known.paidBy)) return []
  const isToRestore = known.status === 'cancelled' && known.lapsed !== null && restorable
  if (!isActive(known) && !isToRestore) throw refusal(closedOrderCode(known))
  if (known.paymentStatus === 'confirmed') throw refusal('already_paid')
  if (toPayOf(known) !== amount) throw refusal('price_changed')
  const restored = isToRestore ? reopen({ orderId, now }, slot) : []
  const at = now.toISOString()
  const paid = { orderId, at, transferId: transferIds[0], ...(byHand && { byHand }) }
  return [...restored, orderPaymentConfirmed(paid)]
}

/** An eaten meal becomes unpaid; a refund stays. */
export const undoPayment = ({ orderId, transferIds, now }: UndoPayment, slot: MealSlot): SlotEvent[] => {
  const { paidBy, status, refundBegun } = orderOf(slot, orderId)
  if (paidBy === null || !transferIds.includes(paidBy) || status === 'refunded' || refundBegun) return []
  return [orderPaymentUndone({ orderId, transferId: paidBy, at: now.toISOString() })]
}

export const slotConflict = (
  slot: MealSlot,
  attemptId: string,
  now: Date,
): 'already_ordered' | 'day_reserved' | null => {
  if (slot.status === 'ordered') return slot.order.attemptId === attemptId ? null : 'already_ordered'
  if (slot.status === 'reserved' && slot.attemptId !== attemptId && new Date(slot.until) > now)
    return 'day_reserved'
  return null
}

const maxTries = 30

/** Too many tries: the office must order. Own tries count. */
export const isTriedTooOften = (slot: MealSlot, attemptId: string): boolean =>
  slot.status !== 'ordered' &&
  !(slot.status === 'reserved' && slot.attemptId === attemptId) &&
  slot.tries >= maxTries

export const reopen = ({ orderId, now }: { orderId: string; now: Date }, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  if (known.status === 'pending') return []
  const reopened = orderReopened({ orderId, at: now.toISOString() })
  if (known.status === 'completed') return [reopened]
  if (known.status === 'refunded') throw refusal('already_refunded')
  if (known.refundBegun) throw refusal('refund_under_way')
  if (slotConflict(slot, '', now)) throw refusal('slot_taken')
  const latest = slot.past.findLast((past) => past.status !== 'withdrawn')
  if (latest?.id !== known.id) throw refusal('newer_order')
  return [reopened]
}

export type MarkLunch = {
  kind: 'mark'
  mark: Pick<SentMark, 'markId' | 'orderId' | 'kind'> &
    Pick<Mark, 'by' | 'deviceAt' | 'note'> & {
      undoes: string | null
      session: string | null
    }
  dayStartsAt: Date
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
  const { mark, now } = command
  const order = orderOf(slot, mark.orderId)
  if (order.marks.answers.has(mark.markId)) return []
  const refused = refusedCode(order, command)
  if (refused) throw refusal(refused)
  const at = now.toISOString()
  const { orderId, markId, by, note, deviceAt, session } = mark
  const told = { orderId, userId: order.userId, markId, by, note, deviceAt, ...(session && { session }), at }
  const notKept = notKeptBy(mark, order.marks)
  if (notKept) return isStored(order.marks) ? [markNotKept({ ...told, ...answerOf(mark, notKept) })] : []
  if (isMarkedTooOften(order.marks, command)) throw refusal('too_many_marks')
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
    case 'undone':
      return undone(order, { ...told, undoes: mark.undoes! })
  }
}

const undone = (order: Order, told: Parameters<typeof markUndone>[0]): SlotEvent[] => {
  const { orderId, undoes, at } = told
  const reopens = order.status === 'completed' && order.marks.completedBy === undoes
  const { absenceEndedBy: ended } = order.marks
  return [
    markUndone(told),
    ...(reopens ? [orderReopened({ orderId, at })] : []),
    ...(ended?.markId === undoes ? [absenceMarked({ orderId, credit: ended.credit, at })] : []),
  ]
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
  const facts = { orderId, userId: order.userId, by, note: null, deviceAt: at, byOffice: true as const, at }
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
const refusedCode = ({ marks, ...order }: Order, { mark, dayStartsAt, now }: MarkLunch) => {
  if (!isActive(order)) return 'order_cancelled'
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
