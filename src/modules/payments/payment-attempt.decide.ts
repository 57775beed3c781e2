import type { Decider } from '#kernel/decider'
import {
  checkoutRefused,
  checkoutStarted,
  evolve,
  linesReleased,
  noAttempt,
  ordersCreated,
} from './payment-attempt'
import type { AttemptEvent, Checkout, LineOrder, PaymentAttempt, RefusedLine } from './payment-attempt'
import { refusal } from './refusals'

type Start = { kind: 'start'; checkout: Omit<Checkout, 'total' | 'at'>; now: Date }
type RecordOrders = { kind: 'record-orders'; orders: LineOrder[]; now: Date }
type Refuse = { kind: 'refuse'; lines: RefusedLine[]; now: Date }
type ConfirmRelease = { kind: 'confirm-release'; now: Date }

export type AttemptCommand = Start | RecordOrders | Refuse | ConfirmRelease

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
  return [checkoutStarted({ ...checkout, total, at: now.toISOString() })]
}

const recordOrders = ({ orders, now }: RecordOrders, attempt: PaymentAttempt): AttemptEvent[] => {
  switch (attempt.status) {
    case 'draft':
      return [ordersCreated({ attemptId: attempt.checkout.attemptId, orders, at: now.toISOString() })]
    case 'fulfilled':
      return []
    case 'none':
    case 'releasing':
    case 'refused':
      throw refusal('attempt_closed')
  }
}

const refuse = ({ lines, now }: Refuse, attempt: PaymentAttempt): AttemptEvent[] => {
  switch (attempt.status) {
    case 'draft':
      return [checkoutRefused({ attemptId: attempt.checkout.attemptId, lines, at: now.toISOString() })]
    case 'releasing':
    case 'refused':
      return []
    case 'none':
    case 'fulfilled':
      throw refusal('attempt_closed')
  }
}

const confirmRelease = ({ now }: ConfirmRelease, attempt: PaymentAttempt): AttemptEvent[] => {
  switch (attempt.status) {
    case 'releasing':
      return [linesReleased({ attemptId: attempt.checkout.attemptId, at: now.toISOString() })]
    case 'refused':
      return []
    case 'none':
    case 'draft':
    case 'fulfilled':
      throw refusal('attempt_closed')
  }
}
