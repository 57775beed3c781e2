import { acceptGuardianInvite, deleteAnyStudent, inviteGuardian } from '#contracts/accounts'
import { closeDays, cycleDays, getClosure, undoClosure } from '#contracts/closures'
import { saveCutoff } from '#contracts/cycles'
import { moveStudent } from '#contracts/enrolment'
import { currentUser } from '#contracts/identity'
import { type Order, listOrders } from '#contracts/ordering'
import { carryOutSweep } from '#modules/closures/carry-out-closure.commands'
import type { ClosuresNeeds } from '#modules/closures/closed-orders.rows'
import { closureCommands } from '#modules/closures/closures.commands'
import { insertClosure } from '#modules/cycles/closed-days.rows'
import { listMails } from '../../src/adapters/mail'
import { type Client, CallRefused } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { sweeping } from '../support/school'
import { standIn } from '../support/stand-ins'
import { silentLog } from '../support/start-postgres'

describe('closing under load', () => {
  let canteen: AlternativeCanteen
  let planner: Client
  beforeAll(async () => {
    canteen = await openAlternativeCanteen({}, sweeping)
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
      ({ to, subject }) => to.includes(address) && subject.startsWith('Cancelled, '),
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
      viewsInclude: async () => {},
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
      () => ({ ordersWhere: () => Promise.reject(new Error('killed')) }),
    ],
    [
      'before it has cancelled any',
      '2026-09-17',
      () => ({ change: () => Promise.reject(new Error('killed')) }),
    ],
    [
      'when they were cancelled and that was not written down',
      '2026-09-18',
      (ordering: ClosuresNeeds['ordering']) => ({
        change: async (...words: Parameters<typeof ordering.change>) => {
          await ordering.change(...words)
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
    const seenBefore = await ordering.ordersWhere({ dates: [date], state: 'active' })
    expect(seenBefore).toHaveLength(1)
    const body = { dates: [date], reason, remedy: 'refund' as const }
    const { id } = await planner.call(closeDays, { params: { id: canteen.cycle.id }, body })
    const sweep = carryOutSweep(
      needsThatDie(() => ({
        ordersWhere: async ({ dates }) => (dates?.includes(date) ? seenBefore : []),
        change: () => Promise.reject(new Error('killed')),
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
        change: async (orderIds, act, by) => {
          await ordering.change(orderIds.slice(0, 1), act, by)
          throw new Error('killed')
        },
      })),
    )
    await undo(closed.id, { actor: 'user:1', correlationId: 'killed' })
    await eventually(async () => (await ordersOf(parent)).every(({ status }) => status === 'pending'))
    await eventually(async () => (await standing('2026-09-21')) === 2)
  })
})

describe('closures cut off', () => {
  let canteen: AlternativeCanteen

  beforeAll(async () => {
    canteen = await openAlternativeCanteen({}, sweeping)
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  const office = () => canteen.superadminClient
  const stewOn = async (username: string, day: number, weekNumber = 1) => {
    const family = await canteen.payingFamily(username, '9')
    const { orders } = await order(family.parent, [canteen.stewFor(family.children[0]!, day, { weekNumber })])
    await canteen.verify([orders[0]!.id])
    return { ...family, id: orders[0]!.id }
  }
  const close = (dates: string[]) =>
    office().call(closeDays, {
      params: { id: canteen.cycle.id },
      body: { dates, reason: 'Public holiday', remedy: 'refund' },
    })
  const statusOf = async ({ parent }: Awaited<ReturnType<typeof stewOn>>) =>
    ((await parent.call(listOrders)) as Order[])[0]?.status

  test('an undo goes by the cutoff as it is set now, earlier or later than when the meals were ordered', async () => {
    const early = await stewOn('chanda', 2)
    await office().call(saveCutoff, { body: { hour: 7, minute: 30 } })
    const tuesday = await close(['2026-09-15'])
    canteen.setClock('2026-09-15T07:45:00+02:00')
    const before = await office().call(undoClosure, { params: { id: tuesday.id } })
    expect(before).toMatchObject({ restored: 0, notRestored: [{ orderId: early.id, code: 'cutoff_passed' }] })

    canteen.setClock('2026-09-14T07:00:00+02:00')
    const late = await stewOn('bupe', 3)
    await office().call(saveCutoff, { body: { hour: 11, minute: 0 } })
    const wednesday = await close(['2026-09-16'])
    canteen.setClock('2026-09-16T10:30:00+02:00')
    expect(await office().call(undoClosure, { params: { id: wednesday.id } })).toMatchObject({ restored: 1 })
    expect(await statusOf(late)).toBe('pending')
  })

  test('days that have passed are not opened again', async () => {
    const { id } = await close(['2026-09-21', '2026-09-22'])
    canteen.setClock('2026-09-23T07:00:00+02:00')
    const late = await canteen.superadmin()
    const undoing = late.call(undoClosure, { params: { id } })
    expect(await refused(undoing)).toMatchObject({ status: 409, code: 'closure_over' })
    const { days } = await late.call(cycleDays, { params: { id: canteen.cycle.id } })
    expect(days.find(({ date }) => date === '2026-09-22')).toMatchObject({
      closure: { id, canUndo: false },
    })
  })

  test('the meal of a child that was removed since does not come back', async () => {
    const gone = await stewOn('bwalya', 4, 2)
    const there = await stewOn('mutale', 4, 2)
    const { id } = await close(['2026-09-24'])
    await office().call(deleteAnyStudent, { params: { id: gone.children[0]!.id }, query: { force: 'true' } })
    expect(await office().call(undoClosure, { params: { id } })).toMatchObject({
      restored: 1,
      notRestored: [
        { orderId: gone.id, code: 'student_gone', message: 'The student is no longer on the account' },
      ],
    })
    expect([await statusOf(gone), await statusOf(there)]).toEqual(['cancelled', 'pending'])
  })

  /** What a kill after the first commit of closing leaves. */
  const cutOffClosing = (id: string, date: string) =>
    canteen.infrastructure.database.knex.transaction((transaction) =>
      insertClosure(
        transaction,
        {
          id,
          cycleId: canteen.cycle.id,
          dates: [date],
          reason: 'Public holiday',
          remedy: 'refund',
          planned: false,
          grades: [],
          classes: [],
        },
        { actor: 'user:1', correlationId: id, at: canteen.now() },
      ),
    )

  test('a closure whose process died before it noted its orders is at work until a worker has', async () => {
    const family = await stewOn('mwila', 4)
    const id = '0199a000-0000-7000-8000-0000000000c1'
    await cutOffClosing(id, '2026-09-17')
    const shown = await office().call(getClosure, { params: { id } })
    expect(shown.done).toBeLessThan(shown.total)
    await eventually(async () => {
      const { done, total, cancelled } = await office().call(getClosure, { params: { id } })
      return done === 1 && total === 1 && cancelled === 1
    }, 20_000)
    expect(await statusOf(family)).toBe('cancelled')
  })

  test('one that is undone before a worker came leaves every order as it was', async () => {
    const family = await stewOn('luyando', 5)
    const id = '0199a000-0000-7000-8000-0000000000c2'
    await cutOffClosing(id, '2026-09-18')
    expect(await office().call(undoClosure, { params: { id } })).toMatchObject({ notRestored: [] })
    await eventually(async () => {
      const { done, total } = await office().call(getClosure, { params: { id } })
      return done === total
    }, 20_000)
    expect(await statusOf(family)).toBe('pending')
    const { days } = await office().call(cycleDays, { params: { id: canteen.cycle.id } })
    expect(days.find(({ date }) => date === '2026-09-18')).toMatchObject({ state: 'open', orders: 1 })
  })

  test('the other guardian of a child is told of its closed and opened days too, and of no money', async () => {
    const { parent, children } = await stewOn('ngoma', 4, 2)
    const email = 'ngoma.two@example.org'
    const other = await canteen.parent('ngoma.two', { email })
    const { code } = await parent.call(inviteGuardian, { params: { id: children[0]!.id }, body: {} })
    await other.call(acceptGuardianInvite, { params: { idOrCode: code } })
    const { id } = await close(['2026-09-24'])
    const { text } = await mailTo(canteen, email, 'Cancelled, ')
    expect(text).toContain('- Thursday, 24 September')
    expect(text.split('Confirm this address')[0]).not.toMatch(/K\d/)
    await office().call(undoClosure, { params: { id } })
    await mailTo(canteen, email, 'Ordered again')
  })

  test('the family to which a child has moved is told of its closed and opened days too', async () => {
    const { children } = await stewOn('payer', 5)
    const stepmother = await canteen.parent('stepmother', { email: 'stepmother@example.org' })
    const { id: parentId } = await stepmother.call(currentUser)
    await office().call(moveStudent, { params: { id: children[0]!.id }, body: { parentId } })
    const { id } = await close(['2026-09-18'])
    const { text } = await mailTo(canteen, 'stepmother@example.org', 'Cancelled, ')
    expect(text).toContain('- Friday, 18 September')
    expect(text.split('Confirm this address')[0]).not.toMatch(/K\d/)
    await office().call(undoClosure, { params: { id } })
    await mailTo(canteen, 'stepmother@example.org', 'Ordered again')
  })
})
