import type { EventOf } from '#kernel/event'
import { clockTime } from '#kernel/school-time'
import { administratorPayoutCounted, payoutCounted } from '#modules/credit/published'
import * as ordering from '#modules/ordering/published'
import {
  cardRefundAnswered,
  cardRefundClaimed,
  cardRefundFoundFailed,
  cardRefundNotBegun,
  cardRefundRequested,
  cardRefundToBeChecked,
  payoutApproved,
  payoutAsked,
  payoutAskWithdrawn,
  refundDue,
  refundPaidBack,
  refundWithdrawn,
} from '#modules/refunds/published'
import { counted, dayOf, kwacha, redacted, words, spaced } from './entry'

export const orderDescriptions = [
  words(ordering.lunchReserved, 'checkout', ({ slot, mealDate, until }) => ({
    what: `Kept ${mealDate} (${dayOf(slot)}) for {student:${slot.studentId}} while the checkout is being paid`,
    details: { Until: until },
  })),
  words(ordering.reservationReleased, 'checkout', ({ slot, mealDate }) => ({
    what: `No longer kept ${mealDate} (${dayOf(slot)}) for {student:${slot.studentId}}`,
  })),
  words(ordering.portionReserved, 'checkout', (portion) => ({
    what: `Kept a portion of ${portionText(portion)} while the checkout is being paid`,
    details: { Until: portion.until },
  })),
  words(ordering.portionOrdered, 'order', (portion) => ({
    what: `Took a portion of ${portionText(portion)}`,
  })),
  words(ordering.portionReleased, 'order', (portion) => ({
    what: `Gave back a portion of ${portionText(portion)}`,
  })),
  words(ordering.lunchOrdered, 'order', (order) => ({
    what: `${ordererOf(order)} ${order.item.name} for ${order.student.name} on ${order.mealDate} (${dayOf(order.slot)})`,
    amount: order.price,
    details: {
      Grade: order.student.grade,
      Protein: order.category,
      'Side dish': order.sideDish,
      Comments: order.comments === '' ? null : order.comments,
      'Full price': order.price === order.originalPrice ? null : kwacha(order.originalPrice),
      Discount: order.discountPercentage > 0 ? `${order.discountPercentage}%` : null,
      Payment: order.paymentStatus === 'pending' ? 'still to be confirmed' : 'confirmed',
    },
  })),
  words(ordering.orderCompleted, 'order', () => ({ what: 'Order marked as complete' })),
  words(ordering.orderReopened, 'order', () => ({ what: 'Order set back to pending' })),
  words(ordering.orderCancelled, 'order', ({ by, afterCutoff }) => ({
    what:
      by === 'system'
        ? 'Order cancelled: it was not paid for in time'
        : `Order cancelled by ${by === 'parent' ? 'the parent' : 'an administrator'}${afterCutoff ? ", after the day's orders had closed" : ''}`,
    amount: 'order-price',
  })),
  words(ordering.lunchMovedHere, 'order', ({ slot, mealDate }) => ({
    what: `Kept ${mealDate} (${dayOf(slot)}) for the lunch of {student:${slot.studentId}} that is moved there`,
  })),
  words(ordering.orderChanged, 'order', ({ by, meal, old, moved }) => ({
    what: moved
      ? `${old.item.name} moved by ${whoOf(by)} from ${moved.from} to ${moved.mealDate} (${dayOf(moved.slot)})`
      : `Order changed by ${whoOf(by)} from ${old.item.name} to ${meal.item.name}`,
    amount: meal.price,
    details: {
      movedTo: moved?.as ?? null,
      Protein: meal.category,
      'Side dish': meal.sideDish,
      Comments: meal.comments === '' ? null : meal.comments,
      'Protein before': old.category,
      'Side dish before': old.sideDish,
      'Price before': old.price === meal.price ? null : kwacha(old.price),
    },
  })),
  words(ordering.absenceMarked, 'order', ({ credit }) => ({
    what: 'The child is ill and does not eat the meal',
    details: { 'Given back of a paid meal': credit > 0 ? kwacha(credit) : null },
  })),
  words(ordering.absenceTakenBack, 'order', () => ({ what: 'The child eats the meal after all' })),
  words(ordering.lunchGiven, 'order', (mark) => ({
    what: mark.cancelled
      ? 'Lunch given out though it was cancelled: the order is active again'
      : 'Lunch given out',
    details: toldIn(mark),
  })),
  words(ordering.absentAtHatch, 'order', (mark) => ({
    what: 'The hatch says: the child is absent',
    details: toldIn(mark),
  })),
  words(ordering.problemAtHatch, 'order', (mark) => ({
    what: 'The hatch says: there is a problem',
    details: toldIn(mark),
  })),
  words(ordering.markUndone, 'order', (mark) => ({
    what: mark.byOffice
      ? 'The office takes back what somebody marked of the lunch'
      : 'A mark of the hatch is taken back',
    details: toldIn(mark),
  })),
  words(ordering.markNotKept, 'order', (mark) => ({
    what: `The hatch said "${mark.kind}", which changed nothing: ${notKeptBecause(mark)}`,
    details: toldIn(mark),
  })),
  words(ordering.orderWithdrawn, 'order', () => ({
    what: 'Order taken back as if never placed: its checkout could not be completed',
    amount: 'order-price',
  })),
  words(ordering.orderPaymentConfirmed, 'payment', () => ({
    what: 'Payment for the order confirmed',
    amount: 'order-price',
  })),
  words(ordering.orderPaymentProven, 'payment', () => ({
    what: 'The payment is on a statement now',
  })),
  words(ordering.orderPaymentUndone, 'payment', () => ({
    what: 'Payment for the order undone: it is not paid for',
    amount: 'order-price',
  })),
  words(ordering.orderRefundBegun, 'refund', () => ({
    what: 'Money for the order goes back: it cannot be placed again',
  })),
  words(ordering.orderRefundFailed, 'refund', () => ({
    what: 'No money for the order has gone back: it is cancelled, and what it cost is owed',
  })),
  words(ordering.orderRefundStillOwed, 'refund', () => ({
    what: 'Order no longer marked as refunded: part of its money is still owed',
  })),
  words(ordering.orderRefunded, 'refund', () => ({
    what: 'Order marked as refunded',
    amount: 'order-price',
  })),
]

const ordererOf = ({ byOffice, byPlan, late }: EventOf<typeof ordering.lunchOrdered>['data']): string => {
  if (byOffice) return `Ordered by the office${late ? ' after the cutoff' : ''}:`
  return byPlan ? 'Ordered by the plan of the family:' : 'Ordered'
}

const whoOf = (by: 'parent' | 'administrator'): string =>
  by === 'parent' ? 'the parent' : 'an administrator'

const hours = (at: { day: number; hour: number; minute: number }): string =>
  `${weekdays[at.day]} ${clockTime(at)}`

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const payingOf = (pay: ordering.FamilyPlan['pay']): string =>
  pay.by === 'prompt' ? `a prompt of ${pay.network}` : pay.by

const sumOf = ({ lines }: ordering.PlannedWeek) => lines.reduce((total, { price }) => total + price, 0)

const turns = {
  ordered: 'is ordered',
  waiting: 'waits for its payment',
  not_paid: 'was not paid',
  nothing: 'had nothing to order',
  failed: 'could not be carried out',
} as const

export const planDescriptions = [
  words(ordering.planSet, 'order', ({ userId, plan, paused }) => ({
    what: `Plan of {user:${userId}} set: every ${hours(plan.at)} for ${plan.children.length === 1 ? '1 child' : `${plan.children.length} children`}${paused ? ', paused' : ''}`,
    amount: plan.weekLimit,
    details: {
      'Paid by': payingOf(plan.pay),
      Days: plan.children
        .map(
          ({ studentId, days }) =>
            `{student:${studentId}}: ${days.map(({ day }) => weekdays[day]).join(', ')}`,
        )
        .join('; '),
    },
  })),
  words(ordering.planPaused, 'order', ({ userId, paused, by }) => ({
    what: paused
      ? `Plan of {user:${userId}} paused${by === 'system' ? ', as three weeks were not paid' : ''}`
      : `Plan of {user:${userId}} goes on`,
  })),
  words(ordering.planEnded, 'order', ({ userId }) => ({ what: `Plan of {user:${userId}} ended` })),
  words(ordering.planDaySkipped, 'order', ({ userId, studentId, date, skip }) => ({
    what: `Plan of {user:${userId}}: ${date} for {student:${studentId}} ${skip ? 'skipped' : 'planned again'}`,
  })),
  words(ordering.planWeekAnnounced, 'order', (week) => ({
    what: `Told {user:${week.userId}} that the plan orders ${counted(week.lines.length, 'meal')} for the week of ${week.week}`,
    amount: sumOf(week),
  })),
  words(ordering.planWeekBegun, 'order', (week) => ({
    what: `The plan of {user:${week.userId}} orders ${counted(week.lines.length, 'meal')} for the week of ${week.week}`,
    amount: sumOf(week),
    details: {
      'Paid by': payingOf(week.pay),
      'Left out':
        week.left
          .map(({ studentId, date, code }) => `${date} {student:${studentId}}: ${spaced(code)}`)
          .join('; ') || null,
    },
  })),
  words(ordering.planWeekTurned, 'order', ({ userId, week, state }) => ({
    what: `The week of ${week} by the plan of {user:${userId}} ${turns[state]}`,
  })),
]

const toldIn = ({ deviceAt, note }: { deviceAt: string; note: string | null }) => ({
  "Time on the device's clock": deviceAt,
  Note: note && redacted(note),
})

const notKeptBecause = ({ other }: EventOf<typeof ordering.markNotKept>['data']): string =>
  other ? `"${other.kind}" counts, marked by {user:${other.by}}` : 'it was so already'

const portionText = ({
  menuItemId,
  date,
  studentId,
}: Record<'menuItemId' | 'studentId', number> & { date: string }) =>
  `{item:${menuItemId}} on ${date} for {student:${studentId}}`

const reasons = {
  order_cancelled: 'the order was cancelled',
  line_waived: 'the meal could not be ordered',
  overpaid: 'more was paid than asked for',
} as const

const cardAnswers = {
  accepted: 'The card provider has taken the refund to the card',
  pending: 'The card provider has to release the refund to the card by hand',
  refused: 'The card provider refused the refund to the card: nothing went back',
  unclear: 'The card provider gave no clear answer about the refund to the card',
} as const

export const refundDescriptions = [
  words(refundDue, 'refund', ({ amount, reason, item, student }) => ({
    what: `${kwacha(amount)} owed back for ${item.name} (${student.name}): ${reasons[reason]}`,
    amount,
  })),
  words(refundWithdrawn, 'refund', () => ({
    what: 'No longer owed back: the order is active again, or another amount is owed',
  })),
  words(refundPaidBack, 'refund', ({ amount, stillOwed, method, reference, note }) => ({
    what: `${kwacha(amount)} paid back (${spaced(method)})${stillOwed > 0 ? `, ${kwacha(stillOwed)} still owed` : ''}`,
    amount,
    details: { Reference: reference, Note: note === null ? null : redacted(note) },
  })),
  words(cardRefundClaimed, 'refund', () => ({
    what: 'No other refund of this card payment is asked for until this one is answered',
  })),
  words(cardRefundRequested, 'refund', ({ amount }) => ({
    what: `${kwacha(amount)} asked back to the card`,
    amount,
  })),
  words(cardRefundAnswered, 'refund', ({ answer, code, explanation }) => ({
    what: cardAnswers[answer],
    details: { 'Provider answer': redacted(`${code} ${explanation}`) },
  })),
  words(cardRefundToBeChecked, 'refund', () => ({
    what: 'The card provider left the refund to the card unclear: somebody has to find out whether it was paid',
  })),
  words(cardRefundFoundFailed, 'refund', ({ note }) => ({
    what: 'Found out: nothing went back to the card',
    details: { Note: note === null ? null : redacted(note) },
  })),
  words(cardRefundNotBegun, 'refund', () => ({
    what: 'The refund to the card was not asked for: the program ended before',
  })),
  words(payoutAsked, 'refund', ({ amount, method, toCard, reference, note }) => ({
    what: `Asked another administrator to approve that ${kwacha(amount)} goes back (${toCard ? 'to the card' : spaced(method)})`,
    amount,
    details: { Reference: reference, Note: note === null ? null : redacted(note) },
  })),
  words(payoutApproved, 'refund', () => ({ what: 'Approved what another administrator asked for' })),
  words(payoutAskWithdrawn, 'refund', () => ({ what: 'What waited for approval was withdrawn' })),
  words(administratorPayoutCounted, 'refund', ({ administrator, date, kind, amount }) => ({
    what: `${kwacha(amount)} counted to the ${kind === 'gift' ? 'gifts' : 'payouts'} of {user:${administrator}} on ${date}`,
    amount,
  })),
  words(payoutCounted, 'refund', ({ userId, date, kind, amount }) => ({
    what:
      kind === 'gift'
        ? `${kwacha(amount)} counted to what {user:${userId}} is given on ${date}`
        : `${kwacha(amount)} counted to what leaves the account of {user:${userId}} on ${date}`,
    amount,
  })),
]
