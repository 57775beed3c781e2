import * as fc from 'fast-check'
import type { DomainEvent } from '#kernel/event'
import {
  checkoutStarted,
  linesBlocked,
  mismatchAccepted,
  ordersCreated,
  paymentMismatched,
  paymentVerified,
  remainderWaived,
} from '#modules/payments/published'
import { at, due, mealHistory, type Fate, type Meal, type Payment, type Plan } from './money-model-meals'
import { line as sampleLine } from './sample-events'

/** A made-up history with what truly came in and went out. */
export type History = { events: DomainEvent[]; cameIn: number; wentOut: number }

const fates: Fate[] = [
  'pending',
  'completed',
  'reopened',
  'cancelled',
  'refund-due',
  'partly-back',
  'paid-back',
  'blocked',
  'waived',
]

export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(
    'card' as const,
    'card' as const,
    'card' as const,
    'free' as const,
    'alternative' as const,
    'counter' as const,
  ),
  payment: fc.constantFrom<Payment>(
    'exact',
    'exact',
    'with-fee',
    'over',
    'under',
    'undecided',
    'unknown',
    'none',
  ),
  meals: fc.array(
    fc.record({
      price: fc.integer({ min: 2, max: 9000 }),
      fate: fc.constantFrom(...fates),
      moved: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

/** The history of these plans, each an attempt of its own on days of its own. */
export const historyOf = (plans: readonly Plan[]): History => {
  const histories = plans.map(attemptHistory)
  return {
    events: histories.flatMap(({ events }) => events),
    cameIn: histories.reduce((sum, { cameIn }) => sum + cameIn, 0),
    wentOut: histories.reduce((sum, { wentOut }) => sum + wentOut, 0),
  }
}

const attemptHistory = (plan: Plan, number: number): History => {
  const attemptId = `0199a000-0000-7000-8000-${String(number + 1).padStart(12, '0')}`
  const meals = plan.kind === 'free' ? plan.meals.map((meal) => ({ ...meal, price: 0 })) : plan.meals
  const lines = meals.map(({ price }, index) => ({
    ...sampleLine,
    index,
    slot: { ...sampleLine.slot, studentId: number + 1, day: index + 1 },
    mealDate: `2026-09-${21 + index}`,
    price,
    originalPrice: price,
  }))
  const total = lines.reduce((sum, { price }) => sum + price, 0)
  const started = checkoutStarted({
    attemptId,
    ...(plan.kind === 'counter' ? atCounter : { kind: plan.kind }),
    userId: 5,
    lines,
    total,
    companyRef: null,
    bodyHash: 'x',
    at,
  })
  const paid: Paid =
    plan.kind === 'card' ? cardPayment(plan.payment, attemptId, total) : { ...nothing, ours: true }
  if (!paid.ours) return { events: [started, ...paid.events], cameIn: paid.received, wentOut: 0 }
  const results = lines.map((line, index) => mealHistory(plan, meals[index]!, attemptId, line))
  const waived = lines.filter((_line, index) => plan.kind === 'card' && meals[index]!.fate === 'waived')
  const surplus = paid.surplus ?? 0
  return {
    events: [
      started,
      ...paid.events,
      ...results.flatMap(({ events }) => events),
      ...madeFrom(attemptId, results),
      ...blockedOf(attemptId, plan, meals),
      ...(waived.length > 0 ? [waiver(attemptId, waived)] : []),
      ...waived.map((line) => due(attemptId, null, line.index, line.price, 'line_waived')),
      ...(surplus > 0 ? [due(attemptId, null, 'surplus', surplus, 'overpaid')] : []),
    ],
    cameIn: paid.received + paid.fee + results.reduce((sum, { cameIn }) => sum + cameIn, 0),
    wentOut: results.reduce((sum, { wentOut }) => sum + wentOut, 0),
  }
}

const atCounter = {
  kind: 'alternative',
  payBy: 'cash',
  office: { by: 1, received: true, note: null, late: 'Forgot to order' },
} as const

type Paid = { events: DomainEvent[]; received: number; fee: number; ours?: boolean; surplus?: number }
const nothing = { events: [], received: 0, fee: 0 }
const report = { explanation: 'Transaction Paid', method: null, cardLast4: null, approval: null, fraud: null }

const cardPayment = (payment: Payment, attemptId: string, total: number): Paid => {
  const verified = (fee: number) =>
    paymentVerified({ attemptId, code: '000', amount: total, fee, late: false, report, at })
  const mismatched = (received: number | null) =>
    paymentMismatched({ attemptId, code: '002', received, differences: [], report, at })
  const accepted = (amount: number) =>
    mismatchAccepted({
      attemptId,
      amount,
      surplus: Math.max(0, amount - total),
      shortfall: Math.max(0, total - amount),
      reason: 'judged fine',
      at,
    })
  switch (payment) {
    case 'exact':
      return { events: [verified(0)], received: total, fee: 0, ours: true }
    case 'with-fee':
      return { events: [verified(50)], received: total, fee: 50, ours: true }
    case 'over':
      return {
        events: [mismatched(total + 100), accepted(total + 100)],
        received: total + 100,
        fee: 0,
        ours: true,
        surplus: 100,
      }
    case 'under':
      return { events: [mismatched(total - 1), accepted(total - 1)], received: total - 1, fee: 0, ours: true }
    case 'undecided':
      return { events: [mismatched(total + 7)], received: total + 7, fee: 0 }
    case 'unknown':
      return { events: [mismatched(null)], received: 0, fee: 0 }
    case 'none':
      return { events: [], received: 0, fee: 0 }
  }
}

const blockedOf = (attemptId: string, plan: Plan, meals: Plan['meals']): DomainEvent[] => {
  const lines = meals.flatMap(({ fate }, index) =>
    plan.kind === 'card' && (fate === 'blocked' || fate === 'waived')
      ? [{ index, reason: 'day_blocked' as const }]
      : [],
  )
  return lines.length > 0 ? [linesBlocked({ attemptId, lines, at })] : []
}

const waiver = (attemptId: string, lines: readonly (typeof sampleLine)[]) =>
  remainderWaived({
    attemptId,
    lines: lines.map(({ index, price }) => ({ index, amount: price })),
    surplus: 0,
    reason: 'no school',
    at,
  })

const madeFrom = (attemptId: string, meals: readonly Meal[]): DomainEvent[] => {
  const orders = meals.flatMap(({ order }) => order ?? [])
  return orders.length > 0 ? [ordersCreated({ attemptId, orders, at })] : []
}
