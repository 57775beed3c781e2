import { type OrderingRules, order as orderContract } from '#contracts/ordering'
import { lunchOf } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { instantAt } from '#kernel/school-time'
import { reclaimAbsence, reclaimCredit } from '#modules/credit/credit-account.commands'
import { placeAmong } from '#modules/ordering/kitchen/kitchen.decide'
import { kitchenOrderReply } from '#modules/ordering/kitchen/kitchen.routes'
import { orderCommands } from '#modules/ordering/orders/orders.commands'
import { orderReply } from '#modules/ordering/orders/orders.view'
import { mealDayOf } from '#modules/ordering/slot/deadlines.decide'
import { orderCancelled, orderCompleted, orderRefunded } from '#modules/ordering/slot/events'
import { type SlotEvent, slotStream } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { handleCommand, stampEvents } from '#platform/event-store/command-handler'
import { type StreamAppend, beginning, noStream } from '#platform/event-store/event-store'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { fold } from '../support/given-when-then'
import { standIn } from '../support/stand-ins'
import {
  after,
  mary,
  monday7,
  ordered,
  tuesday,
  tuesdayMeal,
  termsWith,
  cycle,
  tuesdayBy,
  zone,
  enteredOnce,
} from './lunches'
import { changeId, payFor, orderFrom, slot, stewMeal } from './slot-words'
import { unlimited } from './unlimited'

const by = { actor: 'user:21', correlationId: 'request-1' }

/** A school with Chanda's Tuesday orders of as many weeks and days as wanted, each placed at seven on Monday. */
const school = async (orders = 1, paymentStatus: 'confirmed' | 'pending' = 'confirmed') => {
  const store = memoryEventStore()
  const clock = { now: monday7 }
  const appended: StreamAppend[][] = []
  /** What somebody else does between a command's reading and its writing. */
  const meanwhile: (() => Promise<unknown>)[] = []
  const eventStore = {
    read: store.read,
    append: async (appends: StreamAppend[]) => {
      await meanwhile.pop()?.()
      appended.push(appends)
      return store.append(appends)
    },
  }
  const ids: string[] = []
  for (let child = 0; child < orders; child += 1) {
    const slot = { ...tuesday, studentId: tuesday.studentId + child }
    const placed = ordered(1, monday7, { paymentStatus, line: { ...tuesdayMeal, slot } })
    const orderId = `${slot.studentId}.2026-09-15.1`
    const events = stampEvents([{ ...placed, data: { ...placed.data, orderId } }], { ...by, at: monday7 })
    await store.append([
      { stream: slotStream(lunchOf({ ...tuesdayMeal, slot })), expectedRevision: noStream, events },
    ])
    ids.push(orderId)
  }
  const commands = orderCommands(
    standIn({
      eventStore,
      now: () => clock.now,
      portions: unlimited({ eventStore }),
      credit: {
        reclaimCredit: reclaimCredit(standIn({ eventStore })),
        reclaimAbsence: reclaimAbsence(standIn({ eventStore })),
      },
      familyTerms: async () => termsWith(),
      shownTerms: async () => termsWith(),
      receiptNumbers: async () => new Map(),
      identity: enteredOnce,
    }),
  )
  const told = async (orderId: string) => {
    const stream = `mealSlot-${orderId.slice(0, orderId.lastIndexOf('.'))}`
    return ((await store.read([stream])).get(stream) ?? []).map(({ type }) => type)
  }
  return { store, clock, appended, meanwhile, ids, commands, told }
}
const first = '118.2026-09-15.1'

const codeOf = async (doing: Promise<unknown>) => {
  const error = await doing.catch((refused: unknown) => refused)
  return error instanceof Refusal ? error.code : error
}

test('only a cancelled order can be marked refunded', async () => {
  const { store, clock, commands, told } = await school()
  const step = (name: 'begin-refund' | 'fail-refund' | 'refund') =>
    handleCommand({ eventStore: store, now: () => clock.now }, by, async (at) => ({
      changes: [await commands.refundStep(first, name, at)],
    }))
  expect(await codeOf(step('refund'))).toBe('not_cancelled')
  expect(await codeOf(step('begin-refund'))).toBe('not_cancelled')
  await commands.cancelOwn(first, mary, by)
  await step('fail-refund')
  await step('begin-refund')
  await step('begin-refund')
  const reopened = await commands.changeOrders([first], 'pending', by)
  expect(reopened.skipped).toMatchObject([{ code: 'refund_under_way' }])
  await step('fail-refund')
  await step('begin-refund')
  await step('refund')
  await step('refund')
  await step('begin-refund')
  await step('refund')
  await step('fail-refund')
  expect((await told(first)).slice(2)).toEqual([
    'ordering.order-refund-begun.v1',
    'ordering.order-refund-failed.v1',
    'ordering.order-refund-begun.v1',
    'ordering.order-refunded.v1',
    'ordering.order-refund-still-owed.v1',
    'ordering.order-refunded.v1',
    'ordering.order-refund-still-owed.v1',
    'ordering.order-refund-failed.v1',
  ])
})

test.each([
  ['paid', 'lapsed', 'ordering.order-payment-confirmed.v1'],
  ['lapsed', 'paid', 'ordering.order-cancelled.v1'],
] as const)(
  'an order that is %s while it is being %s stays what it was first',
  async (earlier, later, only) => {
    const { commands, clock, meanwhile, ids, told } = await school(1, 'pending')
    clock.now = new Date(tuesdayMeal.cutoffAt)
    const changes = { paid: payFor(ids), lapsed: 'lapsed' } as const
    meanwhile.push(() => commands.changeOrders(ids, changes[earlier], by))
    const { skipped } = await commands.changeOrders(ids, changes[later], by)
    expect(await told(first)).toEqual(['ordering.lunch-ordered.v1', only])
    expect(skipped).toHaveLength(later === 'paid' ? 1 : 0)
  },
)

describe('a parent cancels', () => {
  test('their own order, and is answered once the views show it', async () => {
    const { commands, store, told } = await school()
    const written = { upTo: beginning }
    const order = await commands.cancelOwn(first, mary, { ...by, written })
    expect(order).toMatchObject({ id: first, status: 'cancelled', allowed: { cancel: false } })
    expect(written.upTo).toBe((await store.end()).position)
    expect(await told(first)).toEqual(['ordering.lunch-ordered.v1', 'ordering.order-cancelled.v1'])
  })

  test('again, and nothing more happens', async () => {
    const { commands, told } = await school()
    const once = await commands.cancelOwn(first, mary, by)
    expect(await commands.cancelOwn(first, mary, by)).toEqual(once)
    expect(await told(first)).toHaveLength(2)
  })

  test("neither someone else's order, nor one that never was, nor what is no order id", async () => {
    const { commands, appended } = await school()
    expect(await codeOf(commands.cancelOwn(first, 99, by))).toBe('order_not_found')
    expect(await codeOf(commands.cancelOwn('118.2026-09-16.1', mary, by))).toBe('order_not_found')
    expect(await codeOf(commands.cancelOwn('lunch', mary, by))).toBe('order_not_found')
    expect(appended).toEqual([])
  })

  test('not after the hour', async () => {
    const { commands, clock } = await school()
    clock.now = after(monday7, 61)
    expect(await codeOf(commands.cancelOwn(first, mary, by))).toBe('cancel_window_over')
  })

  test('while the kitchen completes it: one of the two gets the word', async () => {
    const { commands, told } = await school()
    const [cancelling, completing] = await Promise.all([
      codeOf(commands.cancelOwn(first, mary, by)),
      commands.changeOrders([first], 'completed', by),
    ])
    const cancelled = cancelling !== 'already_completed'
    expect(completing.skipped.map(({ code }) => code)).toEqual(cancelled ? ['already_cancelled'] : [])
    expect(await told(first)).toHaveLength(2)
  })
})

describe('an administrator sets the status of many orders', () => {
  test('batch by batch, whatever their number', async () => {
    const { commands, ids, appended, store } = await school(250)
    const written = { upTo: beginning }
    expect(await commands.changeOrders(ids, 'completed', { ...by, written })).toEqual({
      updated: 250,
      skipped: [],
      changedFromPending: ids,
    })
    expect(appended.map((appends) => appends.length)).toEqual([100, 100, 50])
    expect(written.upTo).toBe((await store.end()).position)
  })

  test('each judged by itself', async () => {
    const { commands, ids } = await school(3)
    await commands.cancelOwn(ids[1]!, mary, by)
    const result = await commands.changeOrders([...ids, 'lunch', '1.2026-09-14.1'], 'completed', by)
    expect(result.updated).toBe(2)
    expect(result.skipped.map(({ id, code }) => [id, code])).toEqual([
      [ids[1], 'already_cancelled'],
      ['lunch', 'order_not_found'],
      ['1.2026-09-14.1', 'order_not_found'],
    ])
    expect(result.skipped.every(({ message }) => message !== '')).toBe(true)
  })

  test('to completed, back to pending, to cancelled and back again', async () => {
    const { commands, told } = await school()
    for (const status of ['completed', 'pending', 'cancelled', 'pending'] as const)
      expect(await commands.changeOrders([first], status, by)).toEqual({
        updated: 1,
        skipped: [],
        changedFromPending: status === 'pending' ? [] : [first],
      })
    expect((await told(first)).slice(1)).toEqual([
      'ordering.order-completed.v1',
      'ordering.order-reopened.v1',
      'ordering.order-cancelled.v1',
      'ordering.order-reopened.v1',
    ])
  })

  test('the same order named twice counts once; what is already so appends nothing', async () => {
    const { commands, appended } = await school()
    const complete = (ids: string[]) => commands.changeOrders(ids, 'completed', by)
    const done = { updated: 1, skipped: [] }
    expect(await complete([first, first])).toEqual({ ...done, changedFromPending: [first] })
    expect(await complete([first])).toEqual({ ...done, changedFromPending: [] })
    expect(appended).toHaveLength(1)
  })

  test('again because the answer was lost: that answer too waits until the views show it', async () => {
    const { commands, store } = await school()
    const written = { upTo: beginning }
    await commands.changeOrders([first], 'completed', by)
    await commands.changeOrders([first], 'completed', { ...by, written })
    expect(written.upTo).toBe((await store.end()).position)
  })
})

const id = '118.2026-09-15.1'
const at = monday7.toISOString()
const noon = instantAt('2026-09-15', 12, 0, zone)
const placed = ordered(1, monday7, { line: { price: 4095, discountPercentage: 10 } })
const completed = orderCompleted({ orderId: id, at })
const cancelled = orderCancelled({ orderId: id, by: 'parent', afterCutoff: true, at })
const refunded = orderRefunded({ orderId: id, at })
const rowOf = (...events: SlotEvent[]) => orderFrom(events, id)!

test('an order as its owner sees it, in kwacha', () => {
  const reply = orderReply(rowOf(placed), monday7, termsWith())
  expect(reply).toEqual({
    id,
    orderDate: at,
    studentId: 118,
    student: { name: 'Chanda', grade: '4' },
    menuItem: { id: 3, name: 'Nshima with relish', type: 'primary' },
    cycleId: 7,
    weekNumber: 1,
    dayOfWeek: 2,
    mealDate: '2026-09-15',
    category: 'beef',
    sideDish: 'Cabbage',
    comments: 'no salt',
    originalPrice: 45.5,
    discountedPrice: 40.95,
    discountPercentage: 10,
    status: 'pending',
    paymentStatus: 'confirmed',
    receiptNumber: null,
    payBy: null,
    absent: false,
    given: null,
    allowed: {
      cancel: true,
      cancelForMs: 3_600_000,
      asPaidForMs: 3_600_000,
      change: true,
      changeForMs: 3_600_000,
      move: true,
      moveForMs: 3_600_000,
      absent: false,
      absentInMs: 17 * 3_600_000,
      absentForMs: 29 * 3_600_000 - 1,
    },
    why: { absent: 'That a child is ill on Tuesday can be said on that day until 12:00' },
    cancellableUntil: after(monday7, 60).toISOString(),
  })
  expect(orderContract.parse(reply)).toEqual(reply)
})

test('an order as the kitchen sees it: not whose and not for how much', () => {
  expect(kitchenOrderReply(rowOf(placed, cancelled), placeAmong(cycle, '2026-09-15'))).toEqual({
    id,
    weekNumber: 1,
    dayOfWeek: 2,
    mealDate: '2026-09-15',
    menuItem: { id: 3, name: 'Nshima with relish', type: 'primary' },
    category: 'beef',
    sideDish: 'Cabbage',
    comments: 'no salt',
    status: 'cancelled',
    paymentStatus: 'confirmed',
    cancelledLate: true,
    absent: false,
  })
})

/** How many events a parent's wish to cancel leads to; a refusal leads to none. */
const cancellations = (past: SlotEvent[], now: Date, rules: Partial<OrderingRules> = {}): number => {
  const by = { role: 'parent', userId: mary, day: tuesdayBy(rules) } as const
  try {
    return mealSlot.decide({ kind: 'cancel', orderId: id, by, now }, fold(mealSlot, past)).length
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    return 0
  }
}

describe('what the reply allows is what the decision allows', () => {
  const cases: [about: string, events: SlotEvent[], now: Date, cancel: boolean][] = [
    ['just placed', [placed], monday7, true],
    ['an hour ago', [placed], after(monday7, 60), true],
    ['more than an hour ago', [placed], after(monday7, 60, 1), false],
    ['completed', [placed, completed], monday7, false],
    ['cancelled', [placed, cancelled], monday7, false],
    ['refunded', [placed, cancelled, refunded], monday7, false],
  ]
  test.each(cases)('%s', (_about, events, now, cancel) => {
    expect(orderReply(rowOf(...events), now, termsWith()).allowed.cancel).toBe(cancel)
    expect(cancellations(events, now)).toBe(cancel ? 1 : 0)
  })
  test.each([
    ['when it was placed', monday7, { cancel: true, cancelForMs: 3_600_000 }],
    ['in the last instant of the hour', after(monday7, 60), { cancel: true, cancelForMs: 0 }],
    ['after the hour', after(monday7, 60, 1), { cancel: false }],
  ])('for how long yet: %s', (_when, now, allowed) => {
    const forMs = 'cancelForMs' in allowed ? allowed.cancelForMs : undefined
    expect(orderReply(rowOf(placed), now, termsWith()).allowed).toEqual({
      ...allowed,
      change: allowed.cancel,
      move: allowed.cancel,
      ...(forMs !== undefined && { changeForMs: forMs, moveForMs: forMs, asPaidForMs: forMs }),
      absent: false,
      absentInMs: instantAt('2026-09-15', 0, 0, zone).getTime() - now.getTime(),
      absentForMs: noon.getTime() - 1 - now.getTime(),
    })
  })
})

describe('where families may cancel until the cutoff', () => {
  const rules = { cancelUntil: 'cutoff' } as const
  const terms = termsWith(rules)
  const tuesday8 = after(monday7, 25 * 60)
  const late = ordered(1, after(tuesday8, -10))
  const toCancel = { cancel: true, cancelForMs: 24 * 3_600_000 - 1, asPaidForMs: 0 }
  const cases: [about: string, events: SlotEvent[], now: Date, allowed: object][] = [
    ['after the hour', [placed], after(monday7, 60), toCancel],
    ['just before the cutoff', [placed], after(tuesday8, 0, -1), { cancel: true, cancelForMs: 0 }],
    ['at the cutoff', [placed], tuesday8, { cancel: false }],
    ['within the hour, past the cutoff', [late], tuesday8, { cancel: true, cancelForMs: 3_000_000 }],
    ['completed', [placed, completed], after(monday7, 61), { cancel: false }],
  ]
  test.each(cases)('%s', (_about, events, now, allowed) => {
    const reply = orderReply(rowOf(...events), now, terms)
    expect(reply.allowed).toMatchObject(allowed)
    expect(cancellations(events, now, rules)).toBe(reply.allowed.cancel ? 1 : 0)
  })
  test('no time is told in which the money goes back as it was paid once that is over', () => {
    const told = [after(monday7, 60), after(monday7, 60, 1), after(tuesday8, 0, -1)].map(
      (now) => orderReply(rowOf(placed), now, terms).allowed.asPaidForMs,
    )
    expect(told).toEqual([0, undefined, undefined])
  })
  test('until when, as an instant', () => {
    expect(orderReply(rowOf(placed), monday7, terms).cancellableUntil).toBe(tuesday8.toISOString())
    expect(orderReply(rowOf(late), tuesday8, terms).cancellableUntil).toBe(after(tuesday8, 50).toISOString())
  })
})

describe('what the office ordered after the cutoff', () => {
  const tuesday8 = after(monday7, 25 * 60)
  const byOffice = ordered(1, tuesday8, { line: { late: true } })
  test('is cancelled by no family, and is reported ill from the start', () => {
    const reply = orderReply(rowOf(byOffice), tuesday8, termsWith())
    expect(reply.allowed).toMatchObject({ cancel: false, change: false, absent: true })
    expect(reply.why.cancel).toBe(
      'The office ordered this lunch after the cutoff: the kitchen cooks it already',
    )
    expect(reply.cancellableUntil).toBe(tuesday8.toISOString())
    const by = { role: 'parent', userId: mary, day: tuesdayBy() } as const
    expect(() =>
      mealSlot.decide({ kind: 'cancel', orderId: id, by, now: tuesday8 }, fold(mealSlot, [byOffice])),
    ).toThrow(expect.objectContaining({ code: 'late_order' }))
  })
  test('is changed by none either, also once the school closes orders later', () => {
    const now = after(tuesday8, 10)
    const terms = { ...termsWith(), cutoffOf: () => after(tuesday8, 60) }
    const reply = orderReply(rowOf(byOffice), now, terms)
    expect(reply.allowed).toMatchObject({ cancel: false, change: false })
    expect(reply.why.change).toBe(reply.why.cancel)
    const day = mealDayOf('2026-09-15', terms)
    slot
      .given(byOffice)
      .when({ kind: 'change', orderId: id, changeId, userId: mary, meal: stewMeal, day, now })
      .refused('late_order')
  })
})

describe('why an order cannot be cancelled', () => {
  const hour = 'Orders can only be cancelled within 1 hour of placing the order'
  const cutoff = 'Meals of Tuesday could be cancelled until Tuesday 08:00'
  const wednesday = after(monday7, 2 * 24 * 60)
  test.each([
    ['after the hour', [placed], termsWith(), hour],
    ['after the cutoff', [placed], termsWith({ cancelUntil: 'cutoff' }), cutoff],
    ['completed', [placed, completed], termsWith(), 'This order is already completed'],
    ['cancelled', [placed, cancelled], termsWith(), 'This order is already cancelled'],
  ])('%s', (_about, events, terms, sentence) => {
    expect(orderReply(rowOf(...events), wednesday, terms).why.cancel).toBe(sentence)
  })
})
