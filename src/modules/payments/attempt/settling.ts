import type { EventOf } from '#kernel/event'
import {
  fulfilmentFailed,
  linesAmended,
  linesBlocked,
  mismatchAccepted,
  ordersCreated,
  recoveryEnded,
  recoveryStarted,
  refundDeclined,
  refundRecorded,
  remainderWaived,
} from './events'
import type { AttemptEvent } from './events'
import { isSettled } from './lines'
import type { LineFate } from './lines'
import type { AttemptState, Begun, PaymentAttempt, Standing } from './payment-attempt'

type AfterPayment = Extract<
  AttemptEvent,
  {
    type:
      | typeof ordersCreated.type
      | typeof linesBlocked.type
      | typeof fulfilmentFailed.type
      | typeof recoveryStarted.type
      | typeof linesAmended.type
      | typeof recoveryEnded.type
      | typeof mismatchAccepted.type
      | typeof remainderWaived.type
      | typeof refundRecorded.type
      | typeof refundDeclined.type
  }
>

/** What becomes of an attempt once there may be money: its lines, its recovery, what is owed back. */
export const afterPayment = (attempt: Standing, event: AfterPayment): PaymentAttempt => {
  switch (event.type) {
    case ordersCreated.type:
      return settled(withFates(attempt, event.data.orders, ({ orderId }) => ({ kind: 'ordered', orderId })))
    case linesBlocked.type:
      return {
        ...detoured(
          withFates(attempt, event.data.lines, ({ reason }) => ({ kind: 'blocked', reason })),
          'blocked',
        ),
        failures: 0,
      }
    case fulfilmentFailed.type:
      return { ...attempt, failures: event.data.attempt }
    case recoveryStarted.type: {
      const { prior, leaseUntil } = event.data
      return { ...attempt, status: 'recovering', prior, leaseUntil, detour: true }
    }
    case linesAmended.type: {
      const amended = new Map(event.data.lines.map((line) => [line.index, line]))
      const lines = attempt.checkout.lines.map((line) => amended.get(line.index) ?? line)
      return {
        ...attempt,
        amended: [...new Set([...attempt.amended, ...amended.keys()])],
        checkout: { ...attempt.checkout, lines },
      }
    }
    case recoveryEnded.type:
      return attempt.status === 'recovering' ? plain(attempt, attempt.prior) : attempt
    case mismatchAccepted.type: {
      const { amount, surplus, shortfall, at } = event.data
      const money = { amount, fee: 0, verifiedAt: at, late: false }
      return { ...plain(attempt, 'paid'), money, surplus: { owed: surplus, paidBack: 0 }, shortfall }
    }
    case remainderWaived.type:
      return waived(attempt, event.data)
    case refundRecorded.type:
      return paidBack({ ...attempt, payouts: [...attempt.payouts, event.data.payoutId] }, event.data)
    case refundDeclined.type:
      return attempt
  }
}

export const plain = (attempt: Begun, status: Exclude<AttemptState, 'recovering'>) => ({ ...attempt, status })

/** As `plain`, off the straight way from checkout to orders. */
export const detoured = (attempt: Begun, status: Exclude<AttemptState, 'recovering'>) => ({
  ...plain(attempt, status),
  detour: true,
})

const withFates = <Attempt extends Begun, Change extends { index: number }>(
  attempt: Attempt,
  changes: readonly Change[],
  fateOf: (change: Change) => LineFate,
): Attempt => {
  const fates = new Map(changes.map((change) => [change.index, fateOf(change)]))
  return { ...attempt, fates: attempt.fates.map((fate, index) => fates.get(index) ?? fate) }
}

/** Once every line is an order or money that is back, the attempt has ended well, or with nothing but refunds. */
const settled = (attempt: Standing): PaymentAttempt => {
  if (!attempt.fates.every(isSettled)) return attempt
  const hasOrders = attempt.fates.some(({ kind }) => kind === 'ordered')
  return plain(attempt, hasOrders ? 'fulfilled' : 'refunded')
}

type Waiver = EventOf<typeof remainderWaived>['data']

const waived = (attempt: Begun, { lines, surplus, at }: Waiver): PaymentAttempt => {
  const given = withFates(attempt, lines, ({ index, amount }) => {
    const fate = attempt.fates[index]
    const reason = fate?.kind === 'blocked' ? fate.reason : null
    return { kind: 'waived', owed: amount, paidBack: 0, reason }
  })
  const amount = lines.reduce((sum, line) => sum + line.amount, surplus)
  const money = attempt.money ?? { amount, fee: 0, verifiedAt: at, late: false }
  return settled({
    ...detoured(given, 'refund_due'),
    money: { ...money, amount: money.amount ?? amount },
    surplus: { owed: attempt.surplus.owed + surplus, paidBack: attempt.surplus.paidBack },
  })
}

const paidBack = (
  attempt: Standing,
  { part, amount }: EventOf<typeof refundRecorded>['data'],
): PaymentAttempt => {
  if (part === 'surplus') {
    const { owed, paidBack: before } = attempt.surplus
    return { ...attempt, surplus: { owed, paidBack: before + amount } }
  }
  const fate = attempt.fates[part]
  if (fate?.kind !== 'waived') return attempt
  const back = withFates(attempt, [{ index: part }], () => ({ ...fate, paidBack: fate.paidBack + amount }))
  return attempt.status === 'refund_due' ? settled(back) : back
}
