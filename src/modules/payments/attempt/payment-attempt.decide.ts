import type { Decider } from '#kernel/decider'
import { checkoutRefused, checkoutStarted, linesReleased, ordersCreated } from './events'
import type { AttemptEvent, Checkout, LineOrder, RefusedLine } from './events'
import { evolve } from './fold'
import { decideMending } from './mending.decide'
import type { MendingCommand } from './mending.decide'
import { decideMoney } from './money.decide'
import type { MoneyCommand } from './money.decide'
import { noAttempt } from './payment-attempt'
import type { PaymentAttempt } from './payment-attempt'
import { refusal } from '../refusals'

type Start = { kind: 'start'; checkout: Omit<Checkout, 'total' | 'at'>; now: Date }
type RecordOrders = { kind: 'record-orders'; orders: LineOrder[]; now: Date }
type Refuse = { kind: 'refuse'; lines: RefusedLine[]; now: Date }
type ConfirmRelease = { kind: 'confirm-release'; now: Date }

export type AttemptCommand = Start | RecordOrders | Refuse | ConfirmRelease | MoneyCommand | MendingCommand

const decide = (command: AttemptCommand, attempt: PaymentAttempt): AttemptEvent[] => {
  switch (command.kind) {
    case 'start':
      return start(command, attempt)
    case 'record-orders':
      return recordOrders(command, attempt)
    case 'refuse':
      return refuse(command, attempt)
    case 'confirm-release':
      return confirmRelease(command, attempt)
    case 'issue-token':
    case 'refuse-token':
    case 'signal':
    case 'record-verdict':
    case 'record-acknowledgement':
    case 'supersede':
    case 'abandon':
      return decideMoney(command, attempt)
    case 'record-fulfilment':
    case 'record-failure':
    case 'start-recovery':
    case 'end-recovery':
    case 'accept':
    case 'waive':
    case 'record-refund':
    case 'decline-refund':
      return decideMending(command, attempt)
  }
}

export const paymentAttempt: Decider<PaymentAttempt, AttemptCommand, AttemptEvent> = {
  initial: noAttempt,
  evolve,
  decide,
}

/** The same key with the same body is the same checkout; with another body it is refused. */
export const refuseOtherBody = (attempt: PaymentAttempt, bodyHash: string): void => {
  if (attempt.status !== 'none' && attempt.checkout.bodyHash !== bodyHash)
    throw refusal('idempotency_key_reused')
}

const start = ({ checkout, now }: Start, attempt: PaymentAttempt): AttemptEvent[] => {
  refuseOtherBody(attempt, checkout.bodyHash)
  if (attempt.status !== 'none') return []
  const total = checkout.lines.reduce((sum, { price }) => sum + price, 0)
  if (checkout.kind === 'free' && total > 0) throw refusal('payment_required')
  if (checkout.kind === 'card' && total === 0) throw refusal('nothing_to_pay')
  return [checkoutStarted({ ...checkout, total, at: now.toISOString() })]
}

const recordOrders = ({ orders, now }: RecordOrders, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'fulfilled') return []
  if (attempt.status !== 'draft' || attempt.checkout.kind === 'card') throw refusal('attempt_closed')
  return [ordersCreated({ attemptId: attempt.checkout.attemptId, orders, at: now.toISOString() })]
}

const refuse = ({ lines, now }: Refuse, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'releasing' || attempt.status === 'refused') return []
  if (attempt.status !== 'draft' || attempt.checkout.kind === 'card') throw refusal('attempt_closed')
  return [checkoutRefused({ attemptId: attempt.checkout.attemptId, lines, at: now.toISOString() })]
}

const confirmRelease = ({ now }: ConfirmRelease, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'refused') return []
  if (attempt.status !== 'releasing') throw refusal('attempt_closed')
  return [linesReleased({ attemptId: attempt.checkout.attemptId, at: now.toISOString() })]
}
