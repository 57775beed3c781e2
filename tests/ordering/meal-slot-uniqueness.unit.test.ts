import * as fc from 'fast-check'
import { Refusal } from '#kernel/refusal'
import { evolve, freeSlot, ordersOf, type MealSlot, type SlotEvent } from '#modules/ordering/slot/meal-slot'
import { isMarkEvent } from '#modules/ordering/slot/lunch-marks'
import { mealSlot, type SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { evolveOrder, type OrderEvent } from '#modules/ordering/orders/orders.view'
import type { OrderRow } from '#modules/ordering/orders/order'
import { tells, undoes } from './hatch-words'
import { pays, transferId } from './slot-words'
import { after, attempt, mary, monday7, otherAttempt, tuesdayMeal, tuesdayBy } from './lunches'
import { tries } from '../support/tries'

/** Anything anybody may ask of one slot, at times that jump forwards and back within a few hours. */
const anyCommand: fc.Arbitrary<SlotCommand> = fc
  .record({
    now: fc.integer({ min: 0, max: 300 }).map((minutes) => after(monday7, minutes)),
    attemptId: fc.constantFrom(attempt, otherAttempt),
    index: fc.integer({ min: 0, max: 9 }),
    orderId: fc.integer({ min: 1, max: 6 }).map((number) => `118.2026-09-15.${number}`),
    untilMinute: fc.integer({ min: 0, max: 300 }),
    kind: fc.constantFrom(
      'reserve',
      'release',
      'order',
      'order',
      'withdraw',
      'cancel-own',
      'cancel-any',
      'complete',
      'reopen',
      'confirm-payment',
      'undo-payment',
      'refund',
      'undo-status',
      'given',
      'absent',
      'undone',
    ),
    markNumber: fc.integer({ min: 1, max: 9 }),
    undone: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ kind, now, attemptId, index, orderId, untilMinute, markNumber, undone }): SlotCommand => {
    switch (kind) {
      case 'reserve':
        return { kind, meal: tuesdayMeal, attemptId, until: after(monday7, untilMinute).toISOString(), now }
      case 'release':
        return { kind, meal: tuesdayMeal, attemptId, now }
      case 'order': {
        const line = { ...tuesdayMeal, index }
        return { kind, attemptId, userId: mary, line, paymentStatus: 'pending', now }
      }
      case 'withdraw':
        return { kind, attemptId, now }
      case 'cancel-own':
        return { kind: 'cancel', orderId, by: { role: 'parent', userId: mary, day: tuesdayBy() }, now }
      case 'cancel-any':
        return { kind: 'cancel', orderId, by: { role: 'administrator' }, now }
      case 'confirm-payment':
        return pays({ orderId, restorable: index > 4, now })
      case 'undo-payment':
        return { kind, orderId, transferIds: [transferId], now }
      case 'given':
      case 'absent':
        return tells(kind, markNumber, { orderId })
      case 'undone':
        return undoes(undone, markNumber, { orderId })
      default:
        return { kind, orderId, now } as SlotCommand
    }
  })

const decided = (command: SlotCommand, slot: MealSlot): SlotEvent[] => {
  try {
    return mealSlot.decide(command, slot)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

const isOrderEvent = (event: SlotEvent): event is OrderEvent => 'orderId' in event.data && !isMarkEvent(event)

/** The rows a projector would keep after these events. */
const rowsAfter = (events: readonly SlotEvent[]): OrderRow[] => {
  const rows = new Map<string, OrderRow>()
  for (const event of events.filter(isOrderEvent)) {
    const row = evolveOrder(rows.get(event.data.orderId) ?? null, event)
    if (row) rows.set(row.id, row)
    else rows.delete(event.data.orderId)
  }
  return [...rows.values()]
}
const isActive = ({ status }: { status: string }) => status === 'pending' || status === 'completed'

test('whatever is asked, in whatever order: one active order at most, and the list says the same', () => {
  let reached = 0
  fc.assert(
    fc.property(fc.array(anyCommand, { minLength: 1, maxLength: 60, size: 'max' }), (commands) => {
      let slot: MealSlot = freeSlot
      const history: SlotEvent[] = []
      for (const command of commands) {
        const events = decided(command, slot)
        history.push(...events)
        slot = events.reduce(evolve, slot)
        // Asking again for what has just been done changes nothing.
        expect(decided(command, slot)).toEqual([])

        const active = rowsAfter(history).filter(isActive)
        const held = slot.status === 'ordered' ? [[slot.order.id, slot.order.status]] : []
        expect(active.map(({ id, status }) => [id, status])).toEqual(held)
        const ids = ordersOf(slot).map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        reached = Math.max(reached, ids.length)
      }
    }),
    { numRuns: tries(300), seed: 20_260_914 },
  )
  expect(reached).toBeGreaterThan(3)
})
