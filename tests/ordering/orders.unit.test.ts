import { reclaimAbsence, reclaimCredit } from '#modules/credit/credit-account.commands'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { type StreamAppend, noStream } from '#platform/event-store/event-store'
import { handleCommand, stampEvents } from '#platform/event-store/command-handler'
import { lunchOf } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { orderCommands } from '#modules/ordering/orders/orders.commands'
import { slotStream } from '#modules/ordering/slot/meal-slot'
import { after, mary, monday7, ordered, tuesday, tuesdayMeal, termsWith } from './lunches'
import { payFor } from './slot-words'
import { unlimited } from './unlimited'
import { enteredOnce } from './entered-once'
import { standIn } from '../support/stand-in'

const by = { actor: 'user:21', correlationId: 'request-1' }

/** A school with Chanda's Tuesday orders of as many weeks and days as wanted, each placed at seven on Monday. */
const school = async (orders = 1, paymentStatus: 'confirmed' | 'pending' = 'confirmed') => {
  const store = memoryEventStore()
  const clock = { now: monday7 }
  const passed: string[] = []
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
      waitForViews: async (position) => void passed.push(position),
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
  return { store, clock, passed, appended, meanwhile, ids, commands, told }
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
  test('their own order, and is shown it cancelled once the views have passed', async () => {
    const { commands, passed, store, told } = await school()
    const order = await commands.cancelOwn(first, mary, by)
    expect(order).toMatchObject({ id: first, status: 'cancelled', allowed: { cancel: false } })
    expect(passed).toEqual([(await store.end()).position])
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
    const { commands, ids, appended, passed, store } = await school(250)
    expect(await commands.changeOrders(ids, 'completed', by)).toEqual({
      updated: 250,
      skipped: [],
      changedFromPending: ids,
    })
    expect(appended.map((appends) => appends.length)).toEqual([100, 100, 50])
    expect(passed).toEqual([(await store.end()).position])
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
    const { commands, passed, store } = await school()
    await commands.changeOrders([first], 'completed', by)
    await commands.changeOrders([first], 'completed', by)
    const { position } = await store.end()
    expect(passed).toEqual([position, position])
  })
})
