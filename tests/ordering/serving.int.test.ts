import { cancelOrder, listOrders, setAbsence, type Order } from '#contracts/ordering'
import { kitchenChanges, setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import { notCollected, sendMarks, serving } from '#contracts/serving'
import { refused } from './canteen'
import { kept, openHatch, type Hatch } from './hatch-school'

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
