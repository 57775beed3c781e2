import { closeDays, cycleDays, getClosure } from '#contracts/closures'
import { listOrders, type Order } from '#contracts/ordering'
import { carryOutSweep } from '#modules/closures/apply-closure.job'
import { closureCommands } from '#modules/closures/closures.commands'
import type { ClosuresNeeds } from '#modules/closures/closed-orders.rows'
import { CallRefused, type Client } from '../../src/app/demo/client'
import { listMails } from '../../src/adapters/mail'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { silentLog } from '../support/start-postgres'
import { standIn } from '../support/stand-in'

let canteen: AlternativeCanteen
let planner: Client
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  planner = await canteen.administrator('planner', 'cycles')
})
afterAll(() => canteen.close())

const reason = 'The oven is broken'
const ordersOf = async (parent: Client) => (await parent.call(listOrders)) as Order[]
const standing = async (date: string) => {
  const { days } = await planner.call(cycleDays, { params: { id: canteen.cycle.id } })
  return days.find((day) => day.date === date)!.orders
}
const mailsTo = async (address: string) =>
  (await listMails(canteen.dataDir, 1_000)).filter(
    ({ to, subject }) => to.includes(address) && subject.startsWith('Your meals are cancelled'),
  )

test('of 50 parents who order for a day while it is closed, each is refused or cancelled and told once', async () => {
  const date = '2026-09-15'
  const families = []
  for (let number = 0; number < 50; number += 1)
    families.push(await canteen.payingFamily(`parent${number}`, '9'))
  const closing = (ms: number) =>
    new Promise((resolve) => setTimeout(resolve, ms)).then(() =>
      planner.call(closeDays, {
        params: { id: canteen.cycle.id },
        body: { dates: [date], reason, remedy: 'refund' },
      }),
    )
  const [closed, ...tried] = await Promise.all([
    closing(150),
    ...families.map(({ parent, children }) =>
      order(parent, [canteen.stewFor(children[0]!, 2)]).then(
        () => 'ordered',
        (error: unknown) => {
          if (error instanceof CallRefused) return JSON.stringify(error.body)
          throw error
        },
      ),
    ),
  ])
  const ordered = tried.filter((answer) => answer === 'ordered').length
  for (const answer of tried.filter((one) => one !== 'ordered')) expect(answer).toContain('day_blocked')
  await eventually(async () => {
    const { cancelled, done, total } = await planner.call(getClosure, { params: { id: closed.id } })
    return cancelled === ordered && done === total
  })
  await eventually(async () => (await standing(date)) === 0)
  await eventually(async () => {
    for (const [index, answer] of tried.entries()) {
      const mails = await mailsTo(`parent${index}@example.org`)
      if (mails.length !== (answer === 'ordered' ? 1 : 0)) return false
    }
    return true
  })
})

/** The needs as the service has them, with what a kill leaves undone. */
const needsThatDie = (
  dying: (ordering: ClosuresNeeds['ordering']) => Partial<ClosuresNeeds['ordering']>,
): ClosuresNeeds => {
  const { database, queue } = canteen.infrastructure
  const module = <Name extends keyof ClosuresNeeds>(name: Name) =>
    canteen.modules.find((one) => one.name === name) as unknown as ClosuresNeeds[Name]
  const ordering = module('ordering')
  return standIn({
    database,
    queue,
    waitForViews: async () => {},
    now: canteen.now,
    log: silentLog,
    zone: 'Africa/Lusaka',
    cycles: module('cycles'),
    payments: module('payments'),
    refunds: module('refunds'),
    credit: module('credit'),
    identity: module('identity'),
    messaging: module('messaging'),
    ordering: { ...ordering, ...dying(ordering) },
  })
}

test.each([
  [
    'before it has looked which orders there are',
    '2026-09-16',
    () => ({ standingOrders: () => Promise.reject(new Error('killed')) }),
  ],
  [
    'before it has cancelled any',
    '2026-09-17',
    () => ({ changeByClosure: () => Promise.reject(new Error('killed')) }),
  ],
  [
    'when they were cancelled and that was not written down',
    '2026-09-18',
    (ordering: ClosuresNeeds['ordering']) => ({
      changeByClosure: async (...words: Parameters<typeof ordering.changeByClosure>) => {
        await ordering.changeByClosure(...words)
        throw new Error('killed')
      },
    }),
  ],
])(
  'a closing that is killed %s is carried on, and its families are told once',
  async (_when, date, dying) => {
    const day = Number(date.slice(-2)) - 13
    const { parent, children } = await canteen.payingFamily(`mutale${day}`, '9', '10')
    await order(
      parent,
      children.map((child) => canteen.stewFor(child, day)),
    )
    const asked = { cycleId: canteen.cycle.id, dates: [date], reason, remedy: 'refund' as const }
    const { closeDays: close } = closureCommands(needsThatDie(dying))
    const by = { actor: 'user:1', correlationId: 'killed' }
    // What is stored is answered as done: the sweep carries it on.
    await close({ ...asked, idempotencyKey: null }, by)
    await eventually(async () => (await ordersOf(parent)).every(({ status }) => status === 'cancelled'))
    await eventually(async () => (await standing(date)) === 0)
    await eventually(async () => (await mailsTo(`mutale${day}@example.org`)).length === 1)
  },
)

test('a sweep that saw the orders before they were cancelled takes no cancellation back', async () => {
  const date = '2026-09-22'
  const { parent, children } = await canteen.payingFamily('chanda', '9')
  await order(parent, [{ ...canteen.stewFor(children[0]!, 2), weekNumber: 2 }])
  const { ordering } = needsThatDie(() => ({}))
  const seenBefore = await ordering.standingOrders([date])
  expect(seenBefore).toHaveLength(1)
  const body = { dates: [date], reason, remedy: 'refund' as const }
  const { id } = await planner.call(closeDays, { params: { id: canteen.cycle.id }, body })
  const sweep = carryOutSweep(
    needsThatDie(() => ({
      standingOrders: async (dates) => (dates.includes(date) ? seenBefore : []),
      changeByClosure: () => Promise.reject(new Error('killed')),
    })),
  )
  await sweep.run()
  const { cancelled, done, total } = await planner.call(getClosure, { params: { id } })
  expect({ cancelled, done, total }).toEqual({ cancelled: 1, done: 1, total: 1 })
})

test('an undoing that is killed is carried on', async () => {
  const { parent, children } = await canteen.payingFamily('lombe', '9', '10')
  await order(
    parent,
    children.map((child) => ({ ...canteen.stewFor(child, 1), weekNumber: 2 })),
  )
  const closed = await planner.call(closeDays, {
    params: { id: canteen.cycle.id },
    body: { dates: ['2026-09-21'], reason, remedy: 'refund' },
  })
  expect((await ordersOf(parent)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  const { undo } = closureCommands(
    needsThatDie((ordering) => ({
      changeByClosure: async (orderIds, change, by) => {
        await ordering.changeByClosure(orderIds.slice(0, 1), change, by)
        throw new Error('killed')
      },
    })),
  )
  await undo(closed.id, { actor: 'user:1', correlationId: 'killed' })
  await eventually(async () => (await ordersOf(parent)).every(({ status }) => status === 'pending'))
  await eventually(async () => (await standing('2026-09-21')) === 2)
})
