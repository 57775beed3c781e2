import { refusal } from '../refusals'
import {
  checkoutRefused,
  checkoutStarted,
  linesReleased,
  ordersCreated,
  type Checkout,
  type LineOrder,
  type RefusedLine,
} from './events'
import { toPayFor, about, type PaymentAttempt, type AttemptEvent } from './payment-attempt'

type Start = { kind: 'start'; checkout: Omit<Checkout, 'total' | 'at'>; now: Date }
type RecordOrders = { kind: 'record-orders'; orders: LineOrder[]; now: Date }
type Refuse = { kind: 'refuse'; lines: RefusedLine[]; now: Date }
type ConfirmRelease = { kind: 'confirm-release'; now: Date }

export type CheckoutCommand = Start | RecordOrders | Refuse | ConfirmRelease

export const decideCheckout = (command: CheckoutCommand, attempt: PaymentAttempt): AttemptEvent[] => {
  switch (command.kind) {
    case 'start':
      return start(command, attempt)
    case 'record-orders':
      return recordOrders(command, attempt)
    case 'refuse':
      return refuse(command, attempt)
    case 'confirm-release':
      return confirmRelease(command, attempt)
  }
}

/** The same key needs the same body. */
export const refuseOtherBody = (attempt: PaymentAttempt, bodyHash: string): void => {
  if (attempt.status !== 'none' && attempt.checkout.bodyHash !== bodyHash)
    throw refusal('idempotency_key_reused')
}

const start = ({ checkout, now }: Start, attempt: PaymentAttempt): AttemptEvent[] => {
  refuseOtherBody(attempt, checkout.bodyHash)
  if (attempt.status !== 'none') return []
  const total = checkout.lines.reduce((sum, { price }) => sum + price, 0)
  if (checkout.kind === 'free' && toPayFor(checkout.lines) > 0) throw refusal('payment_required')
  if (checkout.kind === 'card' && toPayFor(checkout.lines) === 0) throw refusal('nothing_to_pay')
  return [checkoutStarted({ ...checkout, total, at: now.toISOString() })]
}

const recordOrders = ({ orders, now }: RecordOrders, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'fulfilled') return []
  if (attempt.status !== 'draft' || attempt.checkout.kind === 'card') throw refusal('attempt_closed')
  return [ordersCreated({ ...about(attempt, now), orders })]
}

const refuse = ({ lines, now }: Refuse, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'releasing' || attempt.status === 'refused') return []
  if (attempt.status !== 'draft' || attempt.checkout.kind === 'card') throw refusal('attempt_closed')
  return [checkoutRefused({ ...about(attempt, now), lines })]
}

const confirmRelease = ({ now }: ConfirmRelease, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'refused') return []
  if (attempt.status !== 'releasing') throw refusal('attempt_closed')
  return [linesReleased(about(attempt, now))]
}
