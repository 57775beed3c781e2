import { evolve } from '#modules/payments/attempt/fold'
import type { AttemptEvent } from '#modules/payments/attempt/events'
import type { Standing } from '#modules/payments/attempt/payment-attempt'
import { paymentAttempt } from '#modules/payments/attempt/payment-attempt.decide'
import type { AttemptCommand } from '#modules/payments/attempt/payment-attempt.decide'
import type { Verdict } from '#modules/payments/providers/match'
import { specificationOf } from '../support/given-when-then'
import { minute, payoutOf } from './attempt-words'

export const specification = specificationOf(paymentAttempt)
export const find = (verdict: Verdict, minutes = 6): AttemptCommand => ({
  kind: 'record-verdict',
  verdict,
  now: minute(minutes),
})
export const after = (attempt: Standing, ...commands: AttemptCommand[]): Standing =>
  commands.reduce<Standing>(
    (state, command) => paymentAttempt.decide(command, state).reduce<Standing>(evolveStanding, state),
    attempt,
  )
const evolveStanding = (state: Standing, event: AttemptEvent) => evolve(state, event) as Standing
export const fulfil = (orders: number[], blocked: number[] = [], minutes = 7): AttemptCommand => ({
  kind: 'record-fulfilment',
  orders: orders.map((index) => ({ index, orderId: `7.118.1.${index + 2}.1` })),
  blocked: blocked.map((index) => ({ index, reason: 'day_blocked' })),
  now: minute(minutes),
})
export const retry = (minutes: number): AttemptCommand => ({
  kind: 'start-recovery',
  amended: [],
  now: minute(minutes),
})
export const refund = (part: number | 'surplus', amount: number): AttemptCommand => ({
  kind: 'record-refund',
  part,
  payoutId: payoutOf(part, amount),
  amount,
  now: minute(9),
})
export const accept: AttemptCommand = { kind: 'accept', reason: 'A bank fee', now: minute(7) }
export const waive: AttemptCommand = { kind: 'waive', reason: 'School closed', now: minute(7) }
