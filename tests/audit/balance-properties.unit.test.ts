import * as fc from 'fast-check'
import { isWrong, totalsOf } from '#modules/audit/checks/audit-report'
import { lunchOrdered } from '#modules/ordering/published'
import {
  checkoutStarted,
  mismatchAccepted,
  paymentVerified,
  remainderWaived,
} from '#modules/payments/published'
import { refundDue, refundPaidBack } from '#modules/refunds/published'
import { tries } from '../support/tries'
import { audited, changed } from './auditing'
import { anyPlan, historyOf } from './money-model'
import type { Plan } from './money-model-meals'

const plans = fc.array(anyPlan, { minLength: 1, maxLength: 5 })

test('every history that the rules can make balances, and its totals are what came in and went out', () => {
  fc.assert(
    fc.property(plans, (made) => {
      const { events, cameIn, wentOut } = historyOf(made)
      const balances = audited(events)
      expect(balances.filter(isWrong)).toEqual([])
      expect(totalsOf(balances)).toMatchObject({ paidIn: cameIn, paidBack: wentOut, unbalanced: 0 })
    }),
    { seed: 7, numRuns: tries(300) },
  )
})

test('the order in which attempts, orders and refunds are told apart does not matter', () => {
  fc.assert(
    fc.property(plans, (made) => {
      const { events } = historyOf(made)
      const byContext = (prefix: string) => events.filter(({ type }) => type.startsWith(prefix))
      const regrouped = [...byContext('refunds.'), ...byContext('ordering.'), ...byContext('payments.')]
      expect(audited(regrouped)).toEqual(expect.arrayContaining(audited(events)))
    }),
    { seed: 8, numRuns: tries(100) },
  )
})

/** Which events the sum cannot do without. */
const weighty = new Set<string>([
  paymentVerified.type,
  mismatchAccepted.type,
  remainderWaived.type,
  lunchOrdered.type,
  refundDue.type,
])
// A refund that was opened and taken back again carries nothing: only the chain misses it.
const cardPlans = plans.map((made) =>
  made.map(({ payment, meals }): Plan => {
    const weighing = meals.map(({ price, fate, moved }) => ({
      price,
      fate: fate === 'reopened' ? 'pending' : fate,
      moved,
    }))
    return { kind: 'card', payment, meals: weighing as Plan['meals'] }
  }),
)

test('without any one of the events that carry money, something does not balance', () => {
  fc.assert(
    fc.property(cardPlans, fc.nat(), (made, pick) => {
      const { events } = historyOf(made)
      const candidates = events.filter(({ type }) => weighty.has(type))
      fc.pre(candidates.length > 0)
      const gone = candidates[pick % candidates.length]
      expect(audited(events.filter((event) => event !== gone)).some(isWrong)).toBe(true)
    }),
    { seed: 9, numRuns: tries(300) },
  )
})

const amountIn: Record<string, string> = {
  [paymentVerified.type]: 'amount',
  [mismatchAccepted.type]: 'amount',
  [lunchOrdered.type]: 'price',
  [refundDue.type]: 'amount',
  [refundPaidBack.type]: 'amount',
  [checkoutStarted.type]: 'total',
}

test('with one ngwee more in any one of them, something does not balance', () => {
  fc.assert(
    fc.property(cardPlans, fc.nat(), (made, pick) => {
      const { events } = historyOf(made)
      const candidates = events.filter(({ type }) => amountIn[type] !== undefined)
      const edited = candidates[pick % candidates.length]!
      const field = amountIn[edited.type]!
      const more = { [field]: (edited.data as Record<string, number>)[field]! + 1 }
      const forged = events.map((event) => (event === edited ? changed(event, more) : event))
      expect(audited(forged).some(isWrong)).toBe(true)
    }),
    { seed: 10, numRuns: tries(300) },
  )
})
