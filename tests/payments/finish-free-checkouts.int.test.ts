import { listOrders, type Order } from '#contracts/ordering'
import { attemptIdFor, bodyHashOf } from '#modules/payments/checkout/free-checkout.job'
import { checkoutStarted } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { noStream } from '#platform/event-store/event-store'
import { stampEvents } from '#platform/event-store/command-handler'
import type { Student } from '#contracts/identity'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { closeOutbox, writtenTo } from '../support/outbox'
import { contextsOf } from '#platform/module'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const moduleNamed = (name: string) => canteen.modules.find((module) => module.name === name)!
const sweep = () => moduleNamed('payments').sweeps[0]!.run()

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
  const { parent, children, userId } = await canteen.family('mwila', '3')
  const { attemptId } = await cutOff(userId, children[0]!, [2, 3], 'key')
  canteen.setClock('2026-09-14T07:00:15+02:00')
  await sweep()
  expect(await statusOf(attemptId)).toBe('draft')

  canteen.setClock('2026-09-14T07:00:15.001+02:00')
  await sweep()
  await eventually(async () => (await statusOf(attemptId)) === 'fulfilled')
  // The orders are another context's view.
  await eventually(async () => {
    const orders = (await parent.call(listOrders)) as Order[]
    expect(orders.map(({ dayOfWeek, status }) => [dayOfWeek, status])).toEqual([
      [2, 'pending'],
      [3, 'pending'],
    ])
  })
})

test('a free checkout is confirmed by one message, through crashes and a job that runs again', async () => {
  const { parent, children, userId } = await canteen.payingFamily('rose', '3')
  const { pool } = canteen.infrastructure.database
  const outbox = await closeOutbox(pool, userId)
  await place(parent, [canteen.porridgeFor(children[0]!, 2)], 'key')
  await eventually(async () => (await outbox.tried()) > 0)
  await outbox.open()
  const { text } = await mailTo(canteen, 'rose@example.org', 'Your meals are ordered')
  expect(text).toContain('A meal on Tuesday, 15 September 2026: K0.00')
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
  expect(await writtenTo(pool, userId, 'Your meals are ordered')).toBe(1)
})

test('the same request again finishes it at once', async () => {
  const { parent, children, userId } = await canteen.family('grace', '3')
  const { attemptId, lines } = await cutOff(userId, children[0]!, [2, 3], 'key')
  expect(await place(parent, lines, 'key')).toHaveLength(2)
  expect(await statusOf(attemptId)).toBe('fulfilled')
})

test('one that lost a day meanwhile orders nothing and says so', async () => {
  const { parent, children, userId } = await canteen.family('chola', '3')
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
  const { parent, children } = await canteen.family('natasha', '3')
  await place(parent, [canteen.porridgeFor(children[0]!, 2), canteen.porridgeFor(children[0]!, 3)])
  const filled = ['ordering.orders', 'payments.attempts']
  const contexts = contextsOf(canteen.modules)
  await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled })
})
