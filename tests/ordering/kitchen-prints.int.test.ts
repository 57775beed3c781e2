import { once } from 'node:events'
import { createMenuItem } from '#contracts/catalogue'
import type { QueryOf } from '#contracts/endpoint'
import { updateStudent } from '#contracts/identity'
import {
  type KitchenChange,
  type ClassListSort,
  kitchenChanges,
  kitchenPrints,
  kitchenToday,
  kitchenWeek,
  notePrint,
  setOrderStatus,
  classList,
  classListSorts,
} from '#contracts/kitchen'
import {
  type Order,
  cancelOrder,
  changeOrder,
  setAbsence,
  getOrderingRules,
  saveOrderingRules,
} from '#contracts/ordering'
import { serving } from '#contracts/serving'
import type { Client } from '../../src/app/demo/client'
import { startNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { inTheDatabase } from '../support/school-events'
import { allTried } from '../support/tries'
import { type Canteen, openCanteen, place, refused } from './canteen'

const date = '2026-09-14'
const start = Date.parse('2026-09-14T07:00:00+02:00')

type OpenStore = () => Promise<{ variables: object; stop: () => void }>

const inPostgres: OpenStore = () => Promise.resolve({ variables: inTheDatabase, stop: () => undefined })
const inEventStoreDB: OpenStore = async () => {
  const node = await startNode()
  return { variables: { EVENTSTORE_URL: node.url() }, stop: node.stop }
}

/** Both in the nightly tier. */
const stores: [store: string, open: OpenStore][] = [
  ['Postgres', inPostgres],
  ...(allTried ? [['EventStoreDB', inEventStoreDB] satisfies [string, OpenStore]] : []),
]

const ordered = (changes: readonly KitchenChange[]) =>
  changes.filter(({ kind }) => kind === 'ordered').map(({ orderId }) => orderId)

describe.each(stores)('orders at the moment of a print, the events in %s', (_store, open) => {
  let canteen: Canteen
  let cook: Client
  let stop: () => void
  let families: Awaited<ReturnType<Canteen['family']>>[]
  beforeAll(async () => {
    const events = await open()
    stop = events.stop
    canteen = await openCanteen({ ...events.variables, ROLE: 'web' })
    cook = await canteen.administrator('cook', 'kitchen')
    families = []
    for (let number = 1; number <= (allTried ? 6 : 3); number += 1)
      families.push(await canteen.family(`family-${number}`, ...grades))
  })
  afterAll(async () => {
    await canteen.close()
    stop()
  })
  const grades = allTried
    ? (['1', '2', '3', '1', '2', '3', '1', '2'] as const)
    : (['1', '2', '3', '1', '2'] as const)
  let ms = 0
  beforeEach(() => tick())

  /** The school's clock goes on with every step, so that no two have the same instant. */
  const tick = () => canteen.setClock(new Date(start + (ms += 1)))
  const list = () => cook.call(kitchenToday, { query: { page: 1, pageSize: 500 } })
  const changesOf = async (since?: string) => {
    tick()
    return cook.call(kitchenChanges, { query: { date, since } })
  }

  /** An order for each child, each begun an instant later; `reached` once so many of them were answered. */
  const orderAll = (many = 1) => {
    let left = many
    const reached = new EventTarget()
    const placed = families.flatMap(({ parent, children }) =>
      children.map(async (child) => {
        tick()
        const [order] = await place(parent, [canteen.porridgeFor(child, 1)])
        left -= 1
        if (left === 0) reached.dispatchEvent(new Event('reached'))
        return order!
      }),
    )
    return { placing: Promise.all(placed), reached: once(reached, 'reached') }
  }
  const cancelAll = (orders: readonly Order[]) =>
    canteen.superadminClient.call(setOrderStatus, {
      body: { orderIds: orders.map(({ id }) => id), status: 'cancelled' },
    })

  test.each(allTried ? [1, 12, 30] : [1, 5, 10])(
    'each stands on the list or on the slip: printed after answer %i',
    async (many) => {
      const { placing, reached } = orderAll(many)
      await reached
      tick()
      const paper = await list()
      tick()
      const at = paper.shown?.find((shown) => shown.date === date)?.at
      await cook.call(notePrint, { body: { date, at } })
      const orders = await placing
      const onList = paper.data.map(({ id }) => id)
      const onSlip = ordered((await changesOf()).changes)
      expect([...onList, ...onSlip].toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
      await cancelAll(orders)
    },
  )

  test('a print that says nothing of its list is of all that can be seen then', async () => {
    const { placing, reached } = orderAll(allTried ? 8 : 4)
    await reached
    tick()
    await cook.call(notePrint, { body: { date } })
    tick()
    const onList = (await list()).data.map(({ id }) => id)
    const orders = await placing
    const onSlip = ordered((await changesOf()).changes)
    expect([...new Set([...onList, ...onSlip])].toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
    await cancelAll(orders)
  })

  test('who asks with the last reply’s `at` reads every change once', async () => {
    let since = (await changesOf()).at
    const read: KitchenChange[] = []
    const { placing } = orderAll()
    const all = placing.then(
      () => true,
      () => true,
    )
    for (let isLast = false; !isLast;) {
      isLast = await Promise.race([all, Promise.resolve(false)])
      const reply = await changesOf(since)
      read.push(...reply.changes)
      since = reply.at
    }
    const orders = await placing
    expect(ordered(read).toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
    expect(await changesOf(since)).toMatchObject({ at: since, changes: [] })
    await cancelAll(orders)
    expect((await changesOf(since)).changes.map(({ kind }) => kind)).toEqual(orders.map(() => 'cancelled'))
  })
})

describe('in the kitchen', () => {
  let canteen: Canteen
  let cook: Client
  let mwape: Awaited<ReturnType<Canteen['family']>>
  let zulu: typeof mwape
  beforeAll(async () => {
    canteen = await openCanteen()
    cook = await canteen.administrator('cook', 'kitchen')
    // First: what is equal stands by its order's id as text, so its children's numbers have as many digits.
    mwape = await canteen.family('mwape', '2', 'ELC', '4', '2')
    zulu = await canteen.family('zulu', '3', '3', '3')
  })
  afterAll(() => canteen.close())

  describe('kitchen changes', () => {
    beforeAll(async () => {
      const rules = await canteen.superadminClient.call(getOrderingRules)
      await canteen.superadminClient.call(saveOrderingRules, { body: { ...rules, cancelUntil: 'cutoff' } })
    })
    beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

    const changesOf = (date: string, since?: string) => cook.call(kitchenChanges, { query: { date, since } })
    const clock = (time: string) => canteen.setClock(`2026-09-14T${time}+02:00`)

    test('every change of a day by itself, oldest first; since the last print, and since an instant', async () => {
      const { parent, children } = await canteen.family('mwila', '1', '2')
      const [one, two] = (await place(
        parent,
        children.map((child) => canteen.porridgeFor(child, 1)),
      )) as [Order, Order]
      clock('07:01:00')
      const body = {
        menuItemId: one.menuItem.id,
        category: 'vegetarian',
        sideDish: 'Bread',
        comments: 'warm',
        discountedPrice: 0,
      }
      await parent.call(changeOrder, { params: { id: one.id }, body })
      clock('07:02:00')
      const printed = await cook.call(notePrint, { body: { date: '2026-09-14' } })
      expect(printed).toEqual({ at: '2026-09-14T05:02:00.000Z' })
      clock('07:03:00')
      await parent.call(cancelOrder, { params: { id: two.id } })
      const about = { class: null, student: 'mwila 2', grade: '2', orderId: two.id }
      const cancelled = {
        ...about,
        at: '2026-09-14T05:03:00.000Z',
        kind: 'cancelled',
        from: 'School porridge, chicken, Banana',
        to: null,
      }
      await eventually(async () => (await changesOf('2026-09-14')).changes.length === 1)
      expect(await changesOf('2026-09-14')).toEqual({
        at: '2026-09-14T05:03:00.001Z',
        since: printed.at,
        changes: [cancelled],
      })
      const all = await changesOf('2026-09-14', '2026-09-14T05:00:00Z')
      expect(all.changes.map(({ kind, student, from, to }) => [kind, student, from, to])).toEqual([
        ['ordered', 'mwila 1', null, 'School porridge, chicken, Banana'],
        ['ordered', 'mwila 2', null, 'School porridge, chicken, Banana'],
        ['changed', 'mwila 1', 'School porridge, chicken, Banana', 'School porridge, vegetarian, Bread'],
        ['cancelled', 'mwila 2', 'School porridge, chicken, Banana', null],
      ])
    })

    test('the prints of a day are listed, and what was printed is told again', async () => {
      const date = '2026-09-25'
      const { parent, children } = await canteen.family('lungu', '1', '2', '3')
      const orderOf = (at: number) =>
        place(parent, [canteen.porridgeFor(children[at]!, 5, { weekNumber: 2 })])
      expect(await cook.call(kitchenPrints, { query: { date } })).toEqual({ data: [] })
      await orderOf(0)
      clock('07:01:00')
      const first = await cook.call(notePrint, { body: { date } })
      clock('07:02:00')
      await orderOf(1)
      clock('07:03:00')
      const second = await canteen.superadminClient.call(notePrint, { body: { date } })
      clock('07:04:00')
      await orderOf(2)
      const { data } = await cook.call(kitchenPrints, { query: { date } })
      expect(data).toEqual([
        { at: second.at, by: expect.any(String) },
        { at: first.at, by: 'cook' },
      ])
      const told = async (until?: string) =>
        (await cook.call(kitchenChanges, { query: { date, until } })).changes.map(({ student }) => student)
      expect([await told(first.at), await told(second.at), await told()]).toEqual([
        ['lungu 1'],
        ['lungu 2'],
        ['lungu 3'],
      ])
      expect(await refused(canteen.visitor().call(kitchenPrints, { query: { date } }))).toMatchObject({
        status: 401,
      })
    })

    test('an absence is told; that a meal was cooked is not', async () => {
      const { parent, children } = await canteen.family('tembo', '3')
      const [order] = (await place(parent, [canteen.porridgeFor(children[0]!, 2)])) as [Order]
      canteen.setClock('2026-09-15T09:00:00+02:00')
      await cook.call(notePrint, { body: { date: '2026-09-15' } })
      await cook.call(setOrderStatus, { body: { orderIds: [order.id], status: 'completed' } })
      canteen.setClock('2026-09-15T09:01:00+02:00')
      await parent.call(setAbsence, { params: { id: order.id }, body: undefined })
      await eventually(async () => (await changesOf('2026-09-15')).changes.length === 1)
      const { changes } = await changesOf('2026-09-15')
      expect(changes).toMatchObject([
        { kind: 'absent', student: 'tembo 3', from: 'School porridge, chicken, Banana', to: null },
      ])
    })

    test('a day that was never printed is told since its first order, one without orders since now', async () => {
      clock('07:10:00')
      const { parent, children } = await canteen.family('sakala', '3')
      await place(parent, [canteen.porridgeFor(children[0]!, 4)])
      expect(await changesOf('2026-09-17')).toMatchObject({
        since: '2026-09-14T05:10:00.000Z',
        changes: [{ kind: 'ordered' }],
      })
      expect(await changesOf('2026-09-18')).toEqual({
        at: '1970-01-01T00:00:00.000Z',
        since: '2026-09-14T05:10:00.000Z',
        changes: [],
      })
      expect(await refused(cook.call(kitchenChanges, { query: { date: 'tomorrow' } }))).toMatchObject({
        status: 422,
      })
    })
  })

  describe('class list', () => {
    const avocadoToast = {
      name: 'avocado toast',
      price: '0',
      type: 'primary' as const,
      categories: ['chicken'],
      sideDishes: ['Banana'],
      weekNumbers: [3],
      daysOfWeek: [5],
      proteinDescriptions: {},
      allergens: [],
      isAvailable: true,
    }

    /** Of week 3, for the changes are of week 1. */
    const porridgeFor: Canteen['porridgeFor'] = (child, day, more) =>
      canteen.porridgeFor(child, day, { weekNumber: 3, ...more })

    const listed = async (date: string) => (await cook.call(classList, { query: { date } })).data

    test('names who gets what on a day, by grade from the smallest and by name; what was cancelled is not on it', async () => {
      const { parent, children } = mwape
      const [second, small, fourth, alsoSecond] = children
      const [, , last] = await place(parent, [
        porridgeFor(second!, 2, { comments: 'warm' }),
        porridgeFor(small!, 2),
        porridgeFor(fourth!, 2),
        porridgeFor(alsoSecond!, 2),
        porridgeFor(second!, 3),
      ])
      await parent.call(cancelOrder, { params: { id: last!.id } })
      const list = await listed('2026-09-29')
      expect(list.map(({ grade, student }) => [grade, student])).toEqual([
        ['ELC', 'mwape ELC'],
        ['2', 'mwape 2'],
        ['2', 'mwape 2'],
      ])
      expect(list[1]).toEqual({
        id: expect.any(String),
        grade: '2',
        class: null,
        student: 'mwape 2',
        menuItem: 'School porridge',
        category: 'chicken',
        sideDish: 'Banana',
        comments: 'warm',
        status: 'pending',
        paymentStatus: 'confirmed',
        absent: false,
        allergies: null,
        diet: 'none',
        medicalNote: null,
        tellApart: 'mwape',
      })
      expect(await listed('2026-09-30')).toHaveLength(1)
      expect(await listed('2026-10-01')).toEqual([])
    })

    test('tells two children of one name and class apart, as the hatch, the changes and the sheet of the kitchen do', async () => {
      const superadmin = canteen.superadminClient
      const on = '2026-10-01'
      const enter = async (
        { parent, children }: Awaited<ReturnType<Canteen['family']>>,
        at: number,
        child: { name: string; admissionNumber?: string },
      ) => {
        const params = { id: children[at]!.id }
        await superadmin.call(updateStudent, { params, body: { grade: '2', class: '2A', ...child } })
        await place(parent, [{ ...porridgeFor(children[at]!, 4), comments: `for ${child.name}` }])
      }
      const family = await canteen.family('namesake', '2', '2')
      await enter(family, 0, { name: 'Chipo Banda', admissionNumber: '2231' })
      await enter(family, 1, { name: 'Chipo Zulu' })
      await enter(await canteen.family('mary.b', '2'), 0, { name: 'chipo  banda' })
      const told = (await listed(on)).map(({ tellApart }) => tellApart)
      expect(told.toSorted()).toEqual(['2231', 'mary.b', null])
      const { lunches } = await cook.call(serving, { query: { date: on } })
      expect(lunches.map(({ tellApart }) => tellApart).toSorted()).toEqual(told.toSorted())
      const { changes } = await cook.call(kitchenChanges, { query: { date: on } })
      expect(changes.map(({ student, tellApart }) => [student, tellApart])).toEqual([
        ['Chipo Banda', '2231'],
        ['Chipo Zulu', undefined],
        ['chipo  banda', 'mary.b'],
      ])
      const { totals } = await cook.call(kitchenWeek, { params: { week: 3 }, query: { day: 4 } })
      const remarks = totals.flatMap(({ plates }) => plates.flatMap(({ comments }) => comments))
      expect(remarks.flatMap(({ students }) => students).toSorted()).toEqual([
        'Chipo Banda (2231)',
        'Chipo Zulu',
        'chipo  banda (mary.b)',
      ])
    })

    test('lists children of one name by what tells them apart, however their orders are numbered', async () => {
      const on = '2026-10-09'
      const { parent, children } = await canteen.family('alike', '2', '2', '2')
      const numbers = ['310', '45', '1200']
      for (const [at, child] of children.entries()) {
        const body = { name: 'Luse Tembo', grade: '2' as const, class: '2B', admissionNumber: numbers[at]! }
        await canteen.superadminClient.call(updateStudent, { params: { id: child.id }, body })
        await place(parent, [{ ...porridgeFor(child, 5), weekNumber: 4 }])
      }
      const inOrder = ['45', '310', '1200']
      const told = async (query: object) =>
        (await cook.call(classList, { query: { date: on, ...query } })).data.map(({ tellApart }) => tellApart)
      expect(await told({})).toEqual(inOrder)
      expect(await told({ sort: 'meal' })).toEqual(inOrder)
      expect(await told({ direction: 'desc' })).toEqual(inOrder.toReversed())
      const { lunches } = await cook.call(serving, { query: { date: on } })
      expect(lunches.map(({ tellApart }) => tellApart)).toEqual(inOrder)
    })

    describe('of a day', () => {
      let placed: Order[]
      beforeAll(async () => {
        const { parent, children } = zulu
        const [first, second, third] = children
        const { id: avocado } = await canteen.superadminClient.call(createMenuItem, { body: avocadoToast })
        placed = await place(parent, [
          porridgeFor(first!, 5),
          porridgeFor(second!, 5, { menuItemId: avocado }),
          porridgeFor(third!, 5),
        ])
        const { parent: other, children: others, userId } = await canteen.family('abel', '9', '10')
        await canteen.discount(userId, 100)
        await place(
          other,
          others.map((child) => canteen.stewFor(child, 5, { weekNumber: 3 })),
        )
      })
      const friday = '2026-10-02'
      const ask = (query: Omit<QueryOf<typeof classList>, 'date'>) =>
        cook.call(classList, { query: { date: friday, ...query } })

      const ascending: Record<ClassListSort, number[]> = { name: [0, 1, 2], meal: [1, 0, 2] }

      test.each(classListSorts)(
        'is sorted within its classes by %s both ways, equal ones too',
        async (sort) => {
          const up = (await ask({ sort, direction: 'asc' })).data
          const down = (await ask({ sort, direction: 'desc' })).data
          for (const list of [up, down])
            expect(list.map(({ grade }) => grade)).toEqual(['3', '3', '3', '9', '10'])
          const expected = ascending[sort].map((at) => placed[at]!.id)
          expect(up.slice(0, 3).map(({ id }) => id)).toEqual(expected)
          expect(down.slice(0, 3).map(({ id }) => id)).toEqual(expected.toReversed())
        },
      )

      test('is narrowed to a class and to what is paid or not; every class of the day is still told', async () => {
        const ninth = await ask({ grade: '9' })
        expect(ninth.data.map(({ student }) => student)).toEqual(['abel 9'])
        expect(ninth.grades).toEqual(['3', '9', '10'])
        expect((await ask({ grade: 'teacher' })).data).toEqual([])
        expect((await ask({ paymentStatus: 'confirmed' })).data).toHaveLength(5)
        expect((await ask({ paymentStatus: 'pending' })).data).toEqual([])
      })

      test.each([{ sort: 'grade' }, { direction: 'up' }, { grade: '13' }, { paymentStatus: 'maybe' }])(
        'is refused for %j',
        async (query) => {
          expect(await refused(ask(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
        },
      )
    })

    test.each(['2026-02-31', '16 September', ''])('"%s" is no day', async (date) => {
      expect(await refused(listed(date))).toMatchObject({ status: 422, code: 'validation_failed' })
    })

    test('only the kitchen reads it', async () => {
      const office = await canteen.administrator('office', 'menu')
      expect(await refused(office.call(classList, { query: { date: '2026-09-15' } }))).toMatchObject({
        status: 403,
      })
    })
  })
})
