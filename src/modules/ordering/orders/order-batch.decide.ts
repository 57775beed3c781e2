import { parseOrderId } from '#kernel/id'
import type { Ngwee, Proof, Remedy } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import type { SchoolDate } from '#kernel/school-time'
import { refusal } from '../refusals'
import { orderReopened } from '../slot/events'
import {
  evolve,
  freeSlot,
  orderOf,
  ordersOf,
  slotStream,
  type MealSlot,
  type SlotEvent,
} from '../slot/meal-slot'
import { mealSlot, type SlotCommand } from '../slot/meal-slot.decide'
import type { OrderRow } from '../slot/order'
import { acts } from '../slot/order-permissions.decide'

export type StatusChange = 'completed' | 'pending' | 'cancelled'

type ClosureChange =
  | { kind: 'close'; closureId: string; remedy: Remedy }
  | { kind: 'restore'; closureId: string; cutoffOf: (date: SchoolDate) => Date }

export type PaymentChange =
  | {
      kind: 'pay'
      transferIds: readonly [string, ...string[]]
      amounts: ReadonlyMap<string, Ngwee>
      restorable: ReadonlySet<string>
      byHand: boolean
      proof: Proof
    }
  | { kind: 'unpay' | 'prove'; transferIds: readonly string[] }

export type OrderChange =
  | StatusChange
  | 'undone'
  | 'lapsed'
  | 'portion-lapsed'
  | ClosureChange
  | PaymentChange
  | { kind: 'cancel'; actId: string; remedy: Remedy }

export const cancels = (change: OrderChange): boolean =>
  change === 'cancelled' ||
  change === 'lapsed' ||
  change === 'portion-lapsed' ||
  (typeof change === 'object' && (change.kind === 'close' || change.kind === 'cancel'))

export type SkippedOrder = { id: string; code: string; message: string }

export type RefusedReopening = 'credit_spent' | 'sold_out' | 'slot_taken'

type BatchDecision = { events: Map<string, SlotEvent[]>; skipped: SkippedOrder[] }

export const decideBatch = (
  orderIds: readonly string[],
  change: OrderChange,
  slots: ReadonlyMap<string, MealSlot>,
  now: Date,
  refused: ReadonlyMap<string, RefusedReopening> = new Map(),
): BatchDecision => {
  const decision: BatchDecision = { events: new Map(), skipped: [] }
  for (const orderId of new Set(orderIds)) {
    try {
      const code = refused.get(orderId)
      if (code) throw refusal(code)
      const stream = streamOf(orderId)
      const earlier = decision.events.get(stream) ?? []
      const slot = earlier.reduce(evolve, slots.get(stream) ?? freeSlot)
      const decided = mealSlot.decide(commandFor(change, orderId, slot, now), slot)
      if (decided.length > 0) decision.events.set(stream, [...earlier, ...decided])
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      decision.skipped.push({ id: orderId, code: error.code, message: error.message })
    }
  }
  return decision
}

export const reopenedIn = ({ events }: BatchDecision, slots: ReadonlyMap<string, MealSlot>) =>
  [...events].flatMap(([stream, decided]) =>
    ordersOf(slots.get(stream) ?? freeSlot).filter(
      ({ id, status }) =>
        status === 'cancelled' &&
        decided.some(({ type, data }) => type === orderReopened.type && data.orderId === id),
    ),
  )

/** Reopening also needs a free day. */
export const changesFrom = (status: OrderRow['status']): Record<StatusChange, boolean> => ({
  completed: acts.complete.of[status] === 'may',
  pending: acts.reopen.of[status] === 'may',
  cancelled: acts.cancel.of[status] === 'may',
})

const streamOf = (orderId: string): string => {
  const parsed = parseOrderId(orderId)
  if (!parsed) throw refusal('order_not_found')
  return slotStream(parsed.lunch)
}

const named = {
  completed: { kind: 'complete' },
  pending: { kind: 'reopen' },
  undone: { kind: 'undo-status' },
  cancelled: { kind: 'cancel', by: { role: 'administrator' } },
  lapsed: { kind: 'lapse' },
  'portion-lapsed': { kind: 'lapse', portion: true },
} as const

const commandFor = (change: OrderChange, orderId: string, slot: MealSlot, now: Date): SlotCommand =>
  typeof change === 'object' ? commandOf(change, orderId, slot, now) : { ...named[change], orderId, now }

const commandOf = (change: OrderChange & object, orderId: string, slot: MealSlot, now: Date): SlotCommand => {
  switch (change.kind) {
    case 'cancel':
      return { ...change, kind: 'close', orderId, now }
    case 'pay': {
      const { transferIds, amounts, restorable, byHand, proof } = change
      const amount = amounts.get(orderId) ?? 0
      return {
        kind: 'confirm-payment',
        orderId,
        transferIds,
        amount,
        restorable: restorable.has(orderId),
        byHand,
        proof,
        now,
      }
    }
    case 'restore': {
      const { kind, closureId, cutoffOf } = change
      return { kind, closureId, orderId, cutoffAt: cutoffOf(orderOf(slot, orderId).meal_date), now }
    }
    case 'prove':
      return { kind: 'prove-payment', orderId, transferIds: change.transferIds, now }
    case 'unpay':
      return { kind: 'undo-payment', orderId, transferIds: change.transferIds, now }
    default:
      return { ...change, orderId, now }
  }
}
