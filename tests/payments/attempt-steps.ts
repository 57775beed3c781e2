import { decideCheckout, type CheckoutCommand } from '#modules/payments/attempt/checkout.decide'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import type { PaymentAttempt, StartedAttempt, AttemptEvent } from '#modules/payments/attempt/payment-attempt'
import { decidePayment, type PaymentCommand } from '#modules/payments/attempt/payment.decide'
import { decideSettlement, type SettlementCommand } from '#modules/payments/attempt/settlement.decide'
import { type Verdict } from '#modules/payments/providers/provider'
import { specificationOf } from '../support/given-when-then'
import { minute, payoutOf } from './attempt-words'

export type AttemptCommand = CheckoutCommand | PaymentCommand | SettlementCommand

/** Any command of an attempt, by the decider of its part of the way. */
export const decide = (command: AttemptCommand, attempt: PaymentAttempt): AttemptEvent[] => {
  switch (command.kind) {
    case 'start':
    case 'record-orders':
    case 'refuse':
    case 'confirm-release':
      return decideCheckout(command, attempt)
    case 'record-fulfilment':
    case 'record-failure':
    case 'start-recovery':
    case 'end-recovery':
    case 'accept':
    case 'waive':
    case 'waive-closed':
    case 'record-refund':
      return decideSettlement(command, attempt)
    default:
      return decidePayment(command, attempt)
  }
}

const { initial, evolve } = paymentAttempt
export const specification = specificationOf({ initial, evolve, decide })
export const find = (verdict: Verdict, minutes = 6): AttemptCommand => ({
  kind: 'record-verdict',
  verdict,
  now: minute(minutes),
})
export const after = (attempt: StartedAttempt, ...commands: AttemptCommand[]): StartedAttempt =>
  commands.reduce<StartedAttempt>(
    (state, command) => decide(command, state).reduce<StartedAttempt>(evolveStarted, state),
    attempt,
  )
const evolveStarted = (state: StartedAttempt, event: AttemptEvent) => evolve(state, event) as StartedAttempt
export const fulfil = (orders: number[], blocked: number[] = [], minutes = 7): AttemptCommand => ({
  kind: 'record-fulfilment',
  orders: orders.map((index) => ({ index, orderId: `118.2026-09-${15 + index}.1` })),
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
