import { v4 } from 'uuid'
import { auditEntries } from '#contracts/audit'
import { getCredit, giveCredit } from '#contracts/credit'
import { getFamily } from '#contracts/find'
import { kitchenChanges, setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import {
  type Order,
  cancelOrder,
  cancelOrders,
  listOrders,
  setAbsence,
  placeOrders,
  getOrderingRules,
  saveOrderingRules,
} from '#contracts/ordering'
import { type SentMark, notCollected, sendMarks, serving, takeMarksBack } from '#contracts/serving'
import { contextsOf } from '#platform/module'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import { staySignedIn, type Client } from '../../src/app/demo/client'
import { secondProcess } from '../abuse/second-process'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { silentLog } from '../support/start-postgres'
import { allTried } from '../support/tries'
import { refused } from './canteen'
import { type Hatch, kept, openHatch } from './hatch-school'

describe('serving', () => {
  let hatch: Hatch
  beforeAll(async () => {
    hatch = await openHatch()
  })
  afterAll(() => hatch.close())
  beforeEach(() => hatch.setClock('2026-09-14T07:00:00+02:00'))

  const noon = '2026-09-14T10:00:00.000Z'

  describe('the list of the hatch', () => {
    const date = '2026-09-14'
    test('tells each lunch of the day with the mark that stands, by grade and name', async () => {
      const { parent, orders } = await hatch.lunches('mwila', 1, '2', '1', '3')
      const [two, one, three] = orders as [Order, Order, Order]
      await parent.call(cancelOrder, { params: { id: three.id } })
      const before = await hatch.tablet.call(serving)
      expect(before).toEqual({
        date,
        at: '2026-09-14T05:00:00.000Z',
        lunches: [
          expect.objectContaining({ orderId: one.id, student: 'mwila 1' }),
          {
            orderId: two.id,
            student: 'mwila 2',
            grade: '2',
            class: null,
            tellApart: null,
            menuItem: 'School porridge',
            category: 'chicken',
            sideDish: 'Banana',
            comments: 'warm',
            allergies: null,
            diet: 'none',
            medicalNote: null,
            unpaid: false,
            absent: false,
            mark: null,
          },
        ],
      })
      hatch.setClock(noon)
      const given = hatch.mark(one, 'given', { at: '2026-09-14T11:59:00+02:00' })
      const problem = hatch.mark(two, 'problem', { note: ' dropped ' })
      expect(await hatch.send(hatch.phone, given, problem)).toEqual([
        { markId: given.markId, ...kept },
        { markId: problem.markId, ...kept },
      ])
      const after = await hatch.tablet.call(serving, { query: { date } })
      expect([after.at, after.lunches.map((lunch) => lunch.mark)]).toEqual([
        noon,
        [
          { markId: given.markId, kind: 'given', at: '2026-09-14T09:59:00.000Z', by: 'phone', note: null },
          { markId: problem.markId, kind: 'problem', at: noon, by: 'phone', note: 'dropped' },
        ],
      ])
      const statuses = ((await parent.call(listOrders)) as Order[]).map(({ id, status }) => [id, status])
      expect(Object.fromEntries(statuses)).toEqual({
        [one.id]: 'completed',
        [two.id]: 'pending',
        [three.id]: 'cancelled',
      })
      expect(await hatch.tablet.call(notCollected)).toEqual({
        date,
        at: noon,
        classes: [{ class: 'Grade 2', lunches: [after.lunches[1]] }],
      })
    })

    test('is not sent again while nothing changed, and sent when a mark came', async () => {
      const { orders } = await hatch.lunches('etag', 1, '1')
      const first = await hatch.tablet.fetch('/api/serving')
      const known = { headers: { 'if-none-match': first.headers.get('etag')! } }
      expect((await hatch.tablet.fetch('/api/serving', known)).status).toBe(304)
      await hatch.send(hatch.phone, hatch.mark(orders[0], 'absent'))
      expect((await hatch.tablet.fetch('/api/serving', known)).status).toBe(200)
      expect(first.headers.get('cache-control')).toBe('no-store')
    })

    test('of a day without lunches is empty; a day that is none is refused', async () => {
      const query = { date: '2026-09-19' }
      expect(await hatch.tablet.call(serving, { query })).toEqual({ ...query, at: null, lunches: [] })
      expect(await hatch.tablet.call(notCollected, { query })).toEqual({ ...query, at: null, classes: [] })
      expect((await hatch.tablet.fetch('/api/serving?date=2026-02-30')).status).toBe(422)
    })

    test('is for the kitchen alone', async () => {
      const office = await hatch.administrator('bookkeeper', 'revenue')
      const parent = await hatch.parent('curious')
      for (const endpoint of [serving, notCollected]) {
        expect(await refused(hatch.visitor().call(endpoint))).toMatchObject({ status: 401 })
        expect(await refused(office.call(endpoint))).toMatchObject({ status: 403 })
        expect(await refused(parent.call(endpoint))).toMatchObject({ status: 403 })
      }
      const body = { marks: [hatch.mark({ id: '1.2026-09-14.1' }, 'given')] }
      expect(await refused(hatch.visitor().call(sendMarks, { body }))).toMatchObject({ status: 401 })
      expect(await refused(parent.call(sendMarks, { body }))).toMatchObject({ status: 403 })
    })
  })

  describe('what else is done to a lunch', () => {
    test('the kitchen does not undo the completion of a lunch that was given out meanwhile', async () => {
      const { orders } = await hatch.lunches('zulu', 1, '1', '2')
      const [one, two] = orders
      const orderIds = [one.id, two.id]
      const { batchId } = await hatch.tablet.call(setOrderStatus, { body: { orderIds, status: 'completed' } })
      const given = hatch.mark(one, 'given')
      await hatch.send(hatch.tablet, given)
      expect(await hatch.tablet.call(undoOrderStatus, { body: { batchId } })).toEqual({
        restored: 1,
        skipped: [{ id: one.id, code: 'changed_since', message: 'This order has changed since' }],
      })
      await hatch.send(hatch.tablet, hatch.mark(one, 'undone', { undoes: given.markId }))
      expect(await hatch.tablet.call(undoOrderStatus, { body: { batchId } })).toEqual({
        restored: 2,
        skipped: [],
      })
    })

    test('"ill today" is said of a lunch that was completed or given out; a mark is no change of the kitchen', async () => {
      const { parent, orders } = await hatch.lunches('sakala', 2, '1', '2')
      const [one, two] = orders
      hatch.setClock('2026-09-15T10:00:00+02:00')
      await hatch.tablet.call(setOrderStatus, { body: { orderIds: [one.id], status: 'completed' } })
      await hatch.send(hatch.tablet, hatch.mark(two, 'absent'))
      const absent = await parent.call(setAbsence, { params: { id: one.id }, body: undefined })
      expect([absent.status, absent.absent]).toEqual(['completed', true])
      await hatch.send(hatch.tablet, hatch.mark(two, 'given'))
      const list = (await hatch.listOf('2026-09-15')).filter(({ orderId }) =>
        [one.id, two.id].includes(orderId),
      )
      expect(list.map((lunch) => [lunch.absent, lunch.mark?.kind ?? null])).toEqual([
        [true, null],
        [false, 'given'],
      ])
      const query = { date: '2026-09-15', since: '2026-09-15T06:00:00Z' }
      const { changes } = await hatch.tablet.call(kitchenChanges, { query })
      expect(changes.map(({ kind, orderId }) => [kind, orderId])).toEqual([['absent', one.id]])
    })
  })
})

describe('serving marks', () => {
  let hatch: Hatch
  beforeAll(async () => {
    hatch = await openHatch()
  })
  afterAll(() => hatch.close())
  beforeEach(() => hatch.setClock('2026-09-14T07:00:00+02:00'))

  /** The mark as another one's answer names it. */
  const otherOf = ({ markId, kind, at }: SentMark) => ({ markId, kind, at, by: 'tablet' })

  describe('marks', () => {
    test('of two devices: the same is so already, another kind is a conflict; each answers its first result again', async () => {
      const { orders } = await hatch.lunches('tembo', 2, '1', '2')
      const [one, two] = orders
      hatch.setClock('2026-09-15T12:00:00+02:00')
      const [given, absent] = [hatch.mark(one, 'given'), hatch.mark(two, 'absent')]
      await hatch.send(hatch.tablet, given, absent)
      const late = [
        hatch.mark(one, 'given'),
        hatch.mark(one, 'problem', { note: 'cold' }),
        hatch.mark(two, 'problem'),
        hatch.mark(two, 'given'),
      ]
      const answers = [
        { markId: late[0]!.markId, result: 'already', code: null, other: otherOf(given) },
        { markId: late[1]!.markId, result: 'conflict', code: null, other: otherOf(given) },
        { markId: late[2]!.markId, result: 'conflict', code: null, other: otherOf(absent) },
        { markId: late[3]!.markId, ...kept },
      ]
      expect(await hatch.send(hatch.phone, ...late)).toEqual(answers)
      const undone = hatch.mark(one, 'undone', { undoes: given.markId })
      expect(await hatch.send(hatch.tablet, undone)).toEqual([{ markId: undone.markId, ...kept }])
      expect(await hatch.send(hatch.phone, ...late)).toEqual(answers)
      expect(await hatch.send(hatch.tablet, given, given, undone)).toEqual(
        [given, given, undone].map(({ markId }) => ({ markId, ...kept })),
      )
      expect((await hatch.listOf('2026-09-15')).map((lunch) => lunch.mark?.markId ?? null)).toEqual([
        null,
        late[3]!.markId,
      ])
    })

    test('that cannot be are refused by themselves, the others are kept', async () => {
      const { parent, orders } = await hatch.lunches('phiri', 3, '1', '2')
      const [one, two] = orders
      await parent.call(cancelOrder, { params: { id: two.id } })
      hatch.setClock('2026-09-22T12:00:00+02:00')
      const refusals: [SentMark, code: string][] = [
        [hatch.mark({ id: 'no order' }, 'given'), 'order_not_found'],
        [hatch.mark({ id: '999.2026-09-16.1' }, 'given'), 'order_not_found'],
        [hatch.mark(two, 'given'), 'order_cancelled'],
        [hatch.mark(one, 'given', { at: '2026-09-15T11:59:59+02:00' }), 'too_old'],
        [hatch.mark(one, 'given', { at: '2026-09-15T23:59:59+02:00' }), 'before_its_day'],
        [hatch.mark(one, 'given', { at: '0000-01-01T00:00:00+23:59' }), 'too_old'],
        [hatch.mark(one, 'undone', { undoes: v4() }), 'mark_not_found'],
        [hatch.mark(one, 'undone'), 'mark_not_found'],
      ]
      const good = hatch.mark(one, 'given', { at: '9999-12-31T23:59:59-23:59' })
      expect(await hatch.send(hatch.tablet, ...refusals.map(([sent]) => sent), good)).toEqual([
        ...refusals.map(([{ markId }, code]) => ({ markId, result: 'refused', code, other: null })),
        { markId: good.markId, ...kept },
      ])
      const [lunch] = await hatch.listOf('2026-09-16')
      expect(lunch!.mark).toMatchObject({ markId: good.markId, at: '9999-12-31T23:59:59.999Z' })
    })

    const any = {
      markId: v4(),
      orderId: '1.2026-09-14.1',
      kind: 'given' as const,
      at: '2026-09-14T10:00:00Z',
    }
    test.each([
      ['none', []],
      ['more than 500', Array.from({ length: 501 }, () => any)],
      ['a mark without an id', [{ ...any, markId: 'one' }]],
      ['another kind', [{ ...any, kind: 'eaten' }]],
      ['no time', [{ ...any, at: 'noon' }]],
      ['a note of 201', [{ ...any, note: 'x'.repeat(201) }]],
    ])('that the contract does not know are refused: %s', async (_what, marks) => {
      const body = { marks } as { marks: SentMark[] }
      expect(await refused(hatch.tablet.call(sendMarks, { body }))).toMatchObject({ status: 422 })
    })

    test('500 with long notes fit into one request, and again; one counts', async () => {
      const { orders } = await hatch.lunches('banda', 4, '1')
      hatch.setClock('2026-09-17T12:00:00+02:00')
      const marks = Array.from({ length: 500 }, () =>
        hatch.mark(orders[0], 'problem', { note: '\u0001'.padEnd(200, '…') }),
      )
      const first = await hatch.send(hatch.tablet, ...marks)
      expect(first.map(({ result, code }) => code ?? result)).toEqual([
        'kept',
        ...Array.from({ length: 499 }, () => 'already'),
      ])
      expect(await hatch.send(hatch.tablet, ...marks)).toEqual(first)
    })

    test('of a stolen device are 20 an hour and lunch, and the office takes them back', async () => {
      const { parent, orders } = await hatch.lunches('nyirenda', 4, '2', '3')
      const [one, two] = orders
      hatch.setClock('2026-09-17T12:00:00+02:00')
      const backAndForth = Array.from({ length: 11 }, () => {
        const given = hatch.mark(one, 'given')
        return [given, hatch.mark(one, 'undone', { undoes: given.markId })]
      }).flat()
      const answers = await hatch.send(hatch.tablet, ...backAndForth, hatch.mark(two, 'given'))
      expect(answers.map(({ result, code }) => code ?? result)).toEqual([
        ...Array.from({ length: 20 }, () => 'kept'),
        'too_many_marks',
        'mark_not_found',
        'kept',
      ])
      const other = hatch.mark(one, 'given')
      expect(await hatch.send(hatch.phone, other)).toEqual([{ markId: other.markId, ...kept }])
      const office = await hatch.administrator('records', 'history')
      const body = { date: '2026-09-17', by: 'tablet' }
      expect(await refused(hatch.tablet.call(takeMarksBack, { body }))).toMatchObject({ status: 403 })
      const nobody = await refused(office.call(takeMarksBack, { body: { ...body, by: 'nobody' } }))
      expect(nobody.code).toBe('marker_not_found')
      expect((await office.call(takeMarksBack, { body })).takenBack).toBeGreaterThanOrEqual(1)
      expect(await office.call(takeMarksBack, { body })).toEqual({ takenBack: 0 })
      const listed = await hatch.listOf(body.date)
      const marksNow = [one, two].map(({ id }) => listed.find(({ orderId }) => orderId === id)!.mark)
      expect(marksNow.map((mark) => mark?.markId ?? null)).toEqual([other.markId, null])
      const statuses = new Map(
        ((await parent.call(listOrders)) as Order[]).map(({ id, status }) => [id, status]),
      )
      expect([statuses.get(one.id), statuses.get(two.id)]).toEqual(['completed', 'pending'])
    })

    test('that are refused leave nothing in the stream of their lunch', async () => {
      const { parent, orders } = await hatch.lunches('zulu', 1, '1', '2')
      await parent.call(cancelOrder, { params: { id: orders[1].id } })
      const stream = `mealSlot-${orders[1].id.replace(/\.\d+$/, '')}`
      const before = (await hatch.infrastructure.eventStore.read([stream])).get(stream)!.length
      const marks = Array.from({ length: 20 }, () => hatch.mark(orders[1], 'given'))
      const answers = await hatch.send(hatch.tablet, ...marks)
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['order_cancelled']))
      expect((await hatch.infrastructure.eventStore.read([stream])).get(stream)).toHaveLength(before)
    })

    test('of two devices at the same moment: one counts, and both are told which', async () => {
      const { orders } = await hatch.lunches('lungu', 5, '1', '2', '3')
      hatch.setClock('2026-09-18T12:00:00+02:00')
      const queue = () => orders.map((order) => hatch.mark(order, 'given'))
      const sendings = [queue(), queue(), queue(), queue()]
      const answers = await Promise.all(
        [...sendings, ...sendings].map((marks, place) =>
          hatch.send(place % 2 ? hatch.tablet : hatch.phone, ...marks),
        ),
      )
      expect(answers.slice(4)).toEqual(answers.slice(0, 4))
      const standing = (await hatch.listOf('2026-09-18')).map((lunch) => lunch.mark!.markId)
      for (const [place, order] of orders.entries()) {
        const results = answers.slice(0, 4).map((each) => each[place]!)
        const winner = results.filter(({ result }) => result === 'kept').map(({ markId }) => markId)
        expect(winner).toEqual([standing[place]])
        const losers = results.filter(({ result }) => result !== 'kept')
        expect(losers.map(({ result, other }) => [result, other!.markId])).toEqual(
          losers.map(() => ['already', winner[0]]),
        )
        const told = await hatch.superadminClient.call(auditEntries, {
          query: { about: order.id, limit: 100 },
        })
        const whats = told.data.map(({ what }) => what)
        expect(whats.filter((what) => what === 'Lunch given out')).toHaveLength(1)
        expect(whats.filter((what) => what.includes('changed nothing'))).toHaveLength(3)
        expect(whats.filter((what) => what === 'Order marked as complete')).toHaveLength(1)
      }
    })

    test('of a day that has not come are refused by our clock, and kept when it has come', async () => {
      const { orders } = await hatch.lunches('sakala', 5, '1')
      hatch.setClock('2026-09-17T23:59:59.999+02:00')
      const early = hatch.mark(orders[0], 'given', { at: '2026-09-18T12:00:00+02:00' })
      const refusedEarly = { markId: early.markId, result: 'refused', code: 'day_not_come', other: null }
      expect(await hatch.send(hatch.tablet, early, early)).toEqual([refusedEarly, refusedEarly])
      const listed = await hatch.listOf('2026-09-18')
      expect(listed.find(({ orderId }) => orderId === orders[0].id)).toMatchObject({ mark: null })
      hatch.setClock('2026-09-18T00:00:00+02:00')
      expect(await hatch.send(hatch.tablet, early)).toEqual([{ markId: early.markId, ...kept }])
    })
  })

  test('what the hatch told is in the history, with its note and the time of the device', async () => {
    const { orders } = await hatch.lunches('mbewe', 1, '1')
    await hatch.send(
      hatch.phone,
      hatch.mark(orders[0], 'problem', { note: 'call 0977 123 456', at: '2026-09-14T09:00:00Z' }),
    )
    const query = { about: orders[0].id }
    const { data } = await hatch.superadminClient.call(auditEntries, { query })
    expect(data[0]).toMatchObject({
      who: 'phone',
      what: 'The hatch says: there is a problem',
      details: { "Time on the device's clock": '2026-09-14 11:00', Note: 'call … 456' },
    })
    expect(data[0]!.schoolTime).toBe('2026-09-14 07:00')
  })

  test('made again from all events, the marks are the same', async () => {
    const { infrastructure } = hatch
    const contexts = contextsOf(hatch.modules)
    await expectRebuildEqualsLive({ ...infrastructure, contexts, filled: ['ordering.lunch_marks'] })
  })
})

describe('ill and given', () => {
  let canteen: AlternativeCanteen
  let tablet: Client
  beforeAll(async () => {
    canteen = await openAlternativeCanteen({}, { whole: true })
    tablet = await canteen.administrator('tablet', 'kitchen')
    const rules = await canteen.superadminClient.call(getOrderingRules)
    await canteen.superadminClient.call(saveOrderingRules, {
      body: { ...rules, cancelUntil: 'cutoff', absence: 'credit', absencePercent: 100 },
    })
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  /** The books of the whole school, as `npm run audit` checks them. */
  const expectBalanced = async () => {
    const config = readConfig({ DATABASE_URL: canteen.databaseUrl, DATA_DIR: canteen.dataDir })
    const quietly = { log: silentLog, now: canteen.now, against: null, onProgress: () => undefined }
    expect(await auditSchool(canteen.infrastructure, config, quietly)).toMatchObject({ exitCode: 0 })
  }

  const clock = (time: string) => canteen.setClock(`2026-09-15T${time}+02:00`)

  /** A child with a paid stew on Tuesday, at 09:00 of that day. */
  const paidLunch = async (username: string) => {
    const { parent, userId, children } = await canteen.family(username, '9')
    const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2)])
    await canteen.verify([orders[0]!.id])
    clock('09:00:00')
    const { id } = orders[0]!
    const say = (absent: boolean): Promise<Order> =>
      parent.call(setAbsence, { params: { id }, body: { absent } })
    const balance = async () => (await parent.call(getCredit)).balance
    return { parent, userId, child: children[0]!, id, say, balance }
  }

  const mark = (orderId: string, kind: SentMark['kind'], more: Partial<SentMark> = {}): SentMark => ({
    markId: v4(),
    orderId,
    kind,
    at: canteen.now().toISOString(),
    ...more,
  })
  const tell = async (by: Client, ...marks: SentMark[]) =>
    (await by.call(sendMarks, { body: { marks } })).results.map(({ result, code }) => code ?? result)

  const given = (balance: () => Promise<number>, amount: number) =>
    eventually(async () => (await balance()) === amount)

  /** Spends all of a family's credit on another meal. */
  const spend = async ({ parent, child }: Awaited<ReturnType<typeof paidLunch>>, dayOfWeek: number) => {
    const cartItems = [canteen.stewFor(child, dayOfWeek)]
    await parent.call(placeOrders, { body: { cartItems, useCredit: true } })
  }

  test('what was handed out is not reported ill, until the mark is taken back', async () => {
    const { id, say, parent, balance } = await paidLunch('chipo')
    clock('11:39:00')
    const out = mark(id, 'given')
    expect(await tell(tablet, out)).toEqual(['kept'])
    clock('11:40:00')
    expect(await refused(say(true))).toMatchObject({
      status: 409,
      code: 'meal_given',
      message: "chipo 9's lunch was handed out at 11:39.",
    })
    expect(await parent.call(listOrders)).toMatchObject([
      {
        absent: false,
        given: { at: '2026-09-15T09:39:00.000Z', state: 'given' },
        allowed: { absent: false },
        why: { absent: "chipo 9's lunch was handed out at 11:39." },
      },
    ])
    expect(await balance()).toBe(0)
    await tell(tablet, mark(id, 'undone', { undoes: out.markId }))
    expect(await say(true)).toMatchObject({ absent: true, given: null })
    await given(balance, 45.5)
    await expectBalanced()
  })

  test('a mark that arrives after "ill" takes the absence and its credit back; taken back, both are there again', async () => {
    const { id, say, parent, balance } = await paidLunch('bwalya')
    await say(true)
    await given(balance, 45.5)
    clock('12:30:00')
    const late = mark(id, 'given', { at: '2026-09-15T08:55:00+02:00' })
    expect(await tell(tablet, mark(id, 'absent'), late)).toEqual(['kept', 'kept'])
    expect(await balance()).toBe(0)
    expect(await parent.call(listOrders)).toMatchObject([
      { absent: false, status: 'completed', given: { at: '2026-09-15T06:55:00.000Z', state: 'given' } },
    ])
    await expectBalanced()
    await tell(tablet, mark(id, 'undone', { undoes: late.markId }))
    expect(await parent.call(listOrders)).toMatchObject([
      { absent: true, status: 'pending', given: { at: '2026-09-15T10:30:00.000Z', state: 'absent' } },
    ])
    await given(balance, 45.5)
    await expectBalanced()
  })

  test('what was spent of it is not taken back by the family: it is told how much', async () => {
    const lunch = await paidLunch('mutinta')
    await lunch.say(true)
    await given(lunch.balance, 45.5)
    await spend(lunch, 4)
    expect(await refused(lunch.say(false))).toMatchObject({
      status: 409,
      code: 'credit_spent',
      message: 'K45.50 of it has been spent.',
    })
    const params = { id: lunch.userId }
    const gift = (amount: number) =>
      canteen.superadminClient.call(giveCredit, { params, body: { amount, reason: 'Sorry' } })
    await gift(5.5)
    expect(await refused(lunch.say(false))).toMatchObject({ message: 'K40.00 of it has been spent.' })
    await expectBalanced()
    await gift(40)
    expect(await lunch.say(false)).toMatchObject({ absent: false })
    expect(await lunch.balance()).toBe(0)
    await expectBalanced()
  })

  const words = 'lunch of Tuesday, 15 September 2026 was handed out after it had been'
  const handedOut = 'where the hatch does it, the meal stays given and the office is told what was spent'
  test.each([
    ['reported ill', 'completed', 'K45.50 of the K45.50 credit for that has been spent'],
    ['cancelled', 'cancelled', 'its K45.50 is not taken back'],
  ])(`%s: ${handedOut}`, async (what, status, told) => {
    const lunch = await paidLunch(`luse-${status}`)
    const body = { orderIds: [lunch.id], reason: 'No gas', remedy: 'credit' as const }
    await (what === 'cancelled' ? canteen.superadminClient.call(cancelOrders, { body }) : lunch.say(true))
    await given(lunch.balance, 45.5)
    await spend(lunch, 4)
    expect(await tell(tablet, mark(lunch.id, 'given'))).toEqual(['kept'])
    const page = await canteen.superadminClient.call(getFamily, { params: { id: lunch.userId } })
    expect(page.status[0]).toBe(`luse-${status} 9's ${words} ${what}: ${told}`)
    const shown = { id: lunch.id, absent: false, status }
    expect(await lunch.parent.call(listOrders)).toContainEqual(expect.objectContaining(shown))
    await expectBalanced()
  })

  test('cancelled after the cutoff and given all the same, it stands again and its money is taken back', async () => {
    const { id, say, parent, balance } = await paidLunch('naomi')
    await say(true)
    await given(balance, 45.5)
    const body = { orderIds: [id], status: 'cancelled' as const }
    await canteen.superadminClient.call(setOrderStatus, { body })
    const out = mark(id, 'given')
    expect(await tell(tablet, out)).toEqual(['kept'])
    expect(await balance()).toBe(0)
    expect(await parent.call(listOrders)).toMatchObject([{ status: 'completed', absent: false }])
    await expectBalanced()
    await tell(tablet, mark(id, 'undone', { undoes: out.markId }))
    expect(await parent.call(listOrders)).toMatchObject([{ status: 'cancelled' }])
    await expectBalanced()
  })

  test('said ill and handed out at the same moment by two processes: ill does not stand with a lunch that was given', async () => {
    const lunches = []
    for (const name of allTried ? ['one', 'two', 'three', 'four'] : ['one', 'two']) {
      canteen.setClock('2026-09-14T07:00:00+02:00')
      lunches.push(await paidLunch(`twin-${name}`))
    }
    const other = await secondProcess(canteen, {})
    const elsewhere = await staySignedIn(other.url, 'tablet', 'admin-password')
    await Promise.all(
      lunches.flatMap(({ id, say }, place) => [
        tell(place % 2 === 0 ? elsewhere : tablet, mark(id, 'given')),
        say(true).catch(() => undefined),
      ]),
    )
    await other.close()
    for (const { parent, balance } of lunches) {
      expect(await parent.call(listOrders)).toMatchObject([{ absent: false, status: 'completed' }])
      await given(balance, 0)
    }
    await expectBalanced()
  })
})
