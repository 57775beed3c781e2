import { type Student, addStudent } from '#contracts/identity'
import { type Order, listOrders, placeOrders } from '#contracts/ordering'
import { getPaymentBypass, createPayment, updateAttempt } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import { checkoutStarted } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { attemptIdFor, bodyHashOf } from '#modules/payments/checkout/place-order.commands'
import { stampEvents } from '#platform/event-store/command-handler'
import { noStream } from '#platform/event-store/event-store'
import { contextsOf } from '#platform/module'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, place, refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { mailTo, closeOutbox, writtenTo } from '../support/mails'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { logContents } from '../support/school-contents'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

describe('free checkout', () => {
  const linesOf = (answer: Record<string, unknown>) =>
    (answer.lines as { index: number; code: string; message: string }[]).map(({ index, code }) => [
      index,
      code,
    ])

  test('a free cart for two children over several days is placed and seen at once', async () => {
    const { parent, children } = await canteen.family('mwila', '3', 'K')
    const [big, small] = children
    const cart = [2, 3, 4].map((day) => canteen.porridgeFor(big!, day)).concat(canteen.porridgeFor(small!, 2))
    const orders = await place(parent, cart)
    expect(orders.map(({ studentId, dayOfWeek, mealDate }) => [studentId, dayOfWeek, mealDate])).toEqual([
      [big!.id, 2, '2026-09-15'],
      [big!.id, 3, '2026-09-16'],
      [big!.id, 4, '2026-09-17'],
      [small!.id, 2, '2026-09-15'],
    ])
    const seen = await parent.call(listOrders, { query: { unpaginated: 'true', includeAll: 'true' } })
    expect(seen).toEqual({ data: expect.arrayContaining(orders) })
    expect((seen as { data: unknown[] }).data).toHaveLength(4)
    expect(await parent.call(listOrders)).toEqual((seen as { data: unknown[] }).data)
  })

  test('a discount code of 100 percent makes a dear meal free', async () => {
    const { parent, children, userId } = await canteen.family('natasha', '9')
    const cart = [canteen.stewFor(children[0]!, 2)]
    expect(await refused(place(parent, cart))).toMatchObject({ status: 402, code: 'payment_required' })
    await canteen.discount(userId, 100)
    const claimed = [{ ...cart[0]!, discountedPrice: 0, discountPercentage: 100 }]
    expect(await place(parent, claimed)).toMatchObject([
      { originalPrice: 45.5, discountedPrice: 0, discountPercentage: 100, paymentStatus: 'confirmed' },
    ])
  })

  test('refused lines are named, and none of the cart is ordered', async () => {
    const { parent, children } = await canteen.family('kelvin', '2')
    const { children: foreign } = await canteen.family('grace', '2')
    const cart = [
      canteen.porridgeFor(children[0]!, 2),
      canteen.porridgeFor(foreign[0]!, 2),
      canteen.porridgeFor(children[0]!, 3, { weekNumber: 2 }),
      canteen.stewFor(children[0]!, 4),
    ]
    const answer = await refused(place(parent, cart))
    expect(answer).toMatchObject({ status: 422, code: 'lines_refused', error: answer.message })
    expect(linesOf(answer)).toEqual([
      [1, 'student_not_found'],
      [2, 'day_blocked'],
      [3, 'wrong_menu_for_grade'],
    ])
    expect(await parent.call(listOrders)).toEqual([])
  })

  test('comments of more than 500 characters are no order', async () => {
    const { parent, children } = await canteen.family('joseph', '2')
    const long = canteen.porridgeFor(children[0]!, 2, { comments: 'x'.repeat(501) })
    expect((await refused(place(parent, [long]))).status).toBe(422)
    expect(await place(parent, [{ ...long, comments: 'x'.repeat(500) }])).toHaveLength(1)
  })

  test('twenty clients at once for one child and day: exactly one order', async () => {
    const { children } = await canteen.family('luyando', '4')
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => canteen.signIn('luyando', 'parent-password')),
    )
    const outcomes = await Promise.all(
      clients.map((client) =>
        place(client, [canteen.porridgeFor(children[0]!, 3)]).catch((error: unknown) =>
          refused(Promise.reject(error)),
        ),
      ),
    )
    const placed = outcomes.filter((outcome) => Array.isArray(outcome))
    expect(placed).toHaveLength(1)
    const answers = outcomes.flatMap((outcome) => (Array.isArray(outcome) ? [] : [outcome]))
    expect(answers).toHaveLength(19)
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 409, code: 'lines_refused' })
      expect(linesOf(answer)).toEqual([[0, 'already_ordered']])
    }
    expect(await clients[0]!.call(listOrders)).toEqual(placed[0])
  })

  describe('Idempotency-Key', () => {
    test('twenty times one request is one order and twenty equal answers', async () => {
      const { parent, children } = await canteen.family('mutinta', '4')
      const cart = [canteen.porridgeFor(children[0]!, 2), canteen.porridgeFor(children[0]!, 3)]
      const answers = await Promise.all(Array.from({ length: 20 }, () => place(parent, cart, 'mutinta-1')))
      for (const answer of answers) expect(answer).toEqual(answers[0])
      expect(await parent.call(listOrders)).toHaveLength(2)
    })

    test('with another cart is 409; of another user it is another key', async () => {
      const { parent, children } = await canteen.family('chola', '4')
      const { parent: other, children: others } = await canteen.family('bupe', '4')
      await place(parent, [canteen.porridgeFor(children[0]!, 2)], 'key')
      expect(await refused(place(parent, [canteen.porridgeFor(children[0]!, 3)], 'key'))).toMatchObject({
        status: 409,
        code: 'idempotency_key_reused',
      })
      expect(await place(other, [canteen.porridgeFor(others[0]!, 2)], 'key')).toHaveLength(1)
    })
  })

  test('an administrator and a stranger place nothing', async () => {
    const { children } = await canteen.family('thandiwe', '4')
    const body = [canteen.porridgeFor(children[0]!, 2)]
    expect((await refused(canteen.superadminClient.call(placeOrders, { body }))).status).toBe(403)
    expect((await refused(canteen.visitor().call(placeOrders, { body }))).status).toBe(401)
  })

  test('alternative payments are off until somebody sets them', async () => {
    const { parent } = await canteen.family('mapalo')
    expect(await parent.call(getPaymentBypass)).toMatchObject({
      enabled: false,
      beside: false,
      prompt: false,
      unpaidUntil: 'never',
      airtelMoney: { name: '', number: '' },
      mtnMoney: { name: '', number: '' },
      bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
    })
    expect((await refused(canteen.visitor().call(getPaymentBypass))).status).toBe(401)
  })
})

describe('finish free checkouts', () => {
  const moduleNamed = (name: string) => canteen.modules.find((module) => module.name === name)!
  const sweep = () => canteen.sweepNamed('finish-free-checkouts')

  const statusOf = async (attemptId: string) => {
    const { rows } = await canteen.infrastructure.database.pool.query<{ status: string }>(
      'select status from payments.attempts where id = $1',
      [attemptId],
    )
    return rows[0]?.status
  }

  /** What a crash right after the first append leaves in a store without transactions. */
  const cutOff = async (userId: number, child: Student, days: number[], key: string) => {
    const lines = days.map((day) => canteen.porridgeFor(child, day))
    const attemptId = attemptIdFor(userId, key)
    const { cycle, items } = canteen
    const started = checkoutStarted({
      attemptId,
      kind: 'free',
      userId,
      lines: days.map((day, index) => ({
        index,
        slot: { cycleId: cycle.id, studentId: child.id, week: 1, day },
        student: { name: child.name, grade: child.grade },
        item: { id: items.porridge.id, name: items.porridge.name, type: items.porridge.type },
        category: 'chicken',
        sideDish: 'Banana',
        comments: '',
        originalPrice: 0,
        price: 0,
        discountPercentage: 0,
        mealDate: `2026-09-${13 + day}`,
        cutoffAt: `2026-09-${13 + day}T06:00:00.000Z`,
      })),
      total: 0,
      companyRef: null,
      bodyHash: bodyHashOf(lines),
      at: canteen.now().toISOString(),
    })
    const stamp = { actor: `user:${userId}`, correlationId: 'request-1', at: canteen.now() }
    await canteen.infrastructure.eventStore.append([
      {
        stream: paymentAttempt.streamOf(attemptId),
        expectedRevision: noStream,
        events: stampEvents([started], stamp),
      },
    ])
    await eventually(async () => (await statusOf(attemptId)) === 'draft')
    return { attemptId, lines }
  }

  test('a checkout that a crash cut off is finished after 15 s of school time', async () => {
    const { parent, children, userId } = await canteen.family('mwila.finished', '3')
    const { attemptId } = await cutOff(userId, children[0]!, [2, 3], 'key')
    canteen.setClock('2026-09-14T07:00:15+02:00')
    await sweep()
    expect(await statusOf(attemptId)).toBe('draft')

    canteen.setClock('2026-09-14T07:00:15.001+02:00')
    await sweep()
    expect(await statusOf(attemptId)).toBe('fulfilled')
    const orders = (await parent.call(listOrders)) as Order[]
    expect(orders.map(({ dayOfWeek, status }) => [dayOfWeek, status])).toEqual([
      [2, 'pending'],
      [3, 'pending'],
    ])
  })

  test('a free checkout is confirmed by one message, through crashes and a job that runs again', async () => {
    const { parent, children, userId } = await canteen.payingFamily('rose', '3')
    const { pool } = canteen.infrastructure.database
    const outbox = await closeOutbox(pool, userId)
    await place(parent, [canteen.porridgeFor(children[0]!, 2)], 'key')
    await eventually(async () => (await outbox.tried()) > 0)
    await outbox.open()
    const { text } = await mailTo(canteen, 'rose@example.org', 'Ordered')
    expect(text).toContain('Tuesday, 15 September 2026: a meal, K0.00')
    const { rows } = await pool.query<{ id: string; at: Date }>(
      'select id, at from payments.letters where attempt_id = $1',
      [attemptIdFor(userId, 'key')],
    )
    const [letter] = rows
    const write = moduleNamed('payments').jobs.find(({ job }) => job.name === 'write-payment-letter')!
    // As where the process died between writing it and noting that it is written.
    await pool.query('delete from payments.letters_written where id = $1', [letter!.id])
    const payload = {
      letters: [
        {
          id: letter!.id,
          attempt_id: attemptIdFor(userId, 'key'),
          about: 'ordered',
          closure_id: null,
          at: letter!.at.toISOString(),
        },
      ],
      position: '',
    }
    await write.handle(payload, { jobId: 'once-more', attempt: 1 })
    expect(await writtenTo(pool, userId, 'Ordered')).toBe(1)
  })

  test('the same request again finishes it at once', async () => {
    const { parent, children, userId } = await canteen.family('grace.finished', '3')
    const { attemptId, lines } = await cutOff(userId, children[0]!, [2, 3], 'key')
    expect(await place(parent, lines, 'key')).toHaveLength(2)
    expect(await statusOf(attemptId)).toBe('fulfilled')
  })

  test('one that lost a day meanwhile orders nothing and says so', async () => {
    const { parent, children, userId } = await canteen.family('chola.finished', '3')
    const { attemptId, lines } = await cutOff(userId, children[0]!, [2, 3], 'key')
    const other = await place(parent, [canteen.porridgeFor(children[0]!, 3)])
    canteen.setClock('2026-09-14T07:00:16+02:00')
    await sweep()
    await eventually(async () => (await statusOf(attemptId)) === 'refused')
    expect(await refused(place(parent, lines, 'key'))).toMatchObject({
      status: 409,
      code: 'lines_refused',
      lines: [{ index: 1, code: 'already_ordered' }],
    })
    expect(await parent.call(listOrders)).toMatchObject(other.map(({ id }) => ({ id })))
  })

  test('orders and attempts rebuilt from the events equal the live ones', async () => {
    const { parent, children } = await canteen.family('natasha.finished', '3')
    await place(parent, [canteen.porridgeFor(children[0]!, 2), canteen.porridgeFor(children[0]!, 3)])
    const filled = ['ordering.orders', 'payments.attempts']
    const contexts = contextsOf(canteen.modules)
    await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled })
  })
})

describe('hostile carts', () => {
  let parent: Client
  let child: Student
  beforeAll(async () => {
    parent = await canteen.parent('hostile', { email: 'hostile@example.org' })
    child = await parent.call(addStudent, { body: { name: 'Chipo', grade: '9' } })
  })

  const attempts = async () =>
    (await canteen.superadminClient.call(liveOrders, { query: { parent: 'hostile' } })).pagination.totalOrders
  const pay = (amount: number, lines = [canteen.stewFor(child, 2)], key?: string) =>
    parent.call(createPayment, {
      body: { amount, cartItems: lines },
      headers: key ? { 'idempotency-key': key } : {},
    })

  test.each([-45.5, 0, 1e308, 45.4])(
    'an amount of %p is refused and leaves nothing behind',
    async (amount) => {
      expect(await refused(pay(amount))).toMatchObject({ status: 422 })
      expect(await attempts()).toBe(0)
    },
  )

  test('a cart of ten thousand lines is refused before anything is looked up', async () => {
    const lines = Array.from({ length: 10_000 }, () => canteen.stewFor(child, 2))
    expect([413, 422]).toContain((await refused(pay(455_000, lines))).status)
    expect(await attempts()).toBe(0)
  })

  test('a key with another cart is refused, and the payment stays what it was', async () => {
    const { TransToken } = await pay(45.5, undefined, 'one-key')
    expect(
      await refused(pay(91, [canteen.stewFor(child, 3), canteen.stewFor(child, 4)], 'one-key')),
    ).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    })
    expect((await pay(45.5, undefined, 'one-key')).TransToken).toBe(TransToken)
    expect(await attempts()).toBe(1)
  })

  test('a browser that claims to have paid orders nothing, and its claim is kept', async () => {
    const { TransToken } = await pay(45.5, undefined, 'one-key')
    for (const transactionStatus of ['verified', 'completed'])
      await parent.call(updateAttempt, { body: { transactionId: TransToken, transactionStatus } })
    expect(await parent.call(listOrders)).toEqual([])
    const log = await logContents(canteen.infrastructure.eventStore)
    expect(log.map(({ type }) => type)).toContain('payments.customer-signalled.v1')
  })
})
