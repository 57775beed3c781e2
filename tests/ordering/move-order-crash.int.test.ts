import { kitchenChanges } from '#contracts/kitchen'
import { listOrders, moveOrder, type Order } from '#contracts/ordering'
import { appendGroups } from '#platform/event-store/append-plan'
import type { StreamAppend } from '#platform/event-store/event-store'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { refused } from './canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen({ ROLE: 'web' })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const [tuesday, wednesday] = ['2026-09-15', '2026-09-16'] as const

/** A stew on Tuesday; the move to Wednesday dies after so many groups, as where the store has no transactions. */
const diedMoving = async (username: string, groups: number) => {
  const { parent, children } = await canteen.family(username, '9')
  const child = children[0]!
  const [{ id }] = (await order(parent, [canteen.stewFor(child, 2)])).orders as [Order]
  const move = (key: string) =>
    parent.call(moveOrder, { params: { id }, body: { date: wednesday }, headers: { 'idempotency-key': key } })
  const { eventStore } = canteen.infrastructure
  const { append } = eventStore
  const isMove = (appends: StreamAppend[]) => appends.some(({ stream }) => stream.endsWith(`.${wednesday}`))
  const dying = jest.spyOn(eventStore, 'append').mockImplementation(async (appends) => {
    if (!isMove(appends)) return append(appends)
    for (const group of appendGroups(appends).slice(0, groups)) await append(group)
    throw new Error('The process died')
  })
  await expect(move('first')).rejects.toThrow()
  dying.mockRestore()
  const orders = async () => (await parent.call(listOrders)) as Order[]
  return { parent, child, id, move, orders }
}

test('died before the order moved: it stays, and the other day is free after a minute', async () => {
  const { parent, child, orders } = await diedMoving('early', 1)
  expect(await orders()).toMatchObject([{ mealDate: tuesday, status: 'pending' }])
  const wanted = () => order(parent, [canteen.stewFor(child, 3)])
  expect(await refused(wanted())).toMatchObject({ lines: [{ code: 'day_reserved' }] })
  canteen.setClock('2026-09-14T07:01:01+02:00')
  await wanted()
  expect((await orders()).map(({ mealDate }) => mealDate).toSorted()).toEqual([tuesday, wednesday])
})

test('died before the order moved, and asked for again: it moves at once', async () => {
  const { id, child, move, orders } = await diedMoving('again', 1)
  expect(await move('first')).toMatchObject({ id, mealDate: wednesday })
  expect(await orders()).toHaveLength(1)
  const { changes } = await canteen.superadminClient.call(kitchenChanges, { query: { date: wednesday } })
  expect(changes.filter(({ student }) => student === child.name)).toHaveLength(1)
})

test('died after the order moved: it is there, once, and asking again changes nothing', async () => {
  const { parent, child, id, move, orders } = await diedMoving('late', 2)
  await eventually(async () => (await orders())[0]!.mealDate === wednesday)
  expect(await move('second')).toMatchObject({ id, mealDate: wednesday })
  canteen.setClock('2026-09-14T07:01:01+02:00')
  const twice = await refused(order(parent, [canteen.stewFor(child, 3)]))
  expect(twice).toMatchObject({ lines: [{ code: 'already_ordered' }] })
  await order(parent, [canteen.stewFor(child, 2)])
  expect((await orders()).map(({ mealDate }) => mealDate).toSorted()).toEqual([tuesday, wednesday])
})

test('two buyers of the day that it comes to, without transactions: one lunch of it', async () => {
  const { parent, children } = await canteen.family('both', '9')
  const child = children[0]!
  const [{ id }] = (await order(parent, [canteen.stewFor(child, 2)])).orders as [Order]
  const { eventStore } = canteen.infrastructure
  const { append } = eventStore
  let rival: Promise<unknown> | undefined
  const slow = jest.spyOn(eventStore, 'append').mockImplementation(async (appends) => {
    if (!appends.some(({ alone }) => alone)) return append(appends)
    let position = ''
    for (const group of appendGroups(appends)) {
      position = await append(group)
      rival ??= refused(order(parent, [canteen.stewFor(child, 3)]))
      await rival
    }
    return position
  })
  await parent.call(moveOrder, { params: { id }, body: { date: wednesday } })
  slow.mockRestore()
  expect(await rival).toMatchObject({ lines: [{ code: 'day_reserved' }] })
  expect(await parent.call(listOrders)).toMatchObject([{ id, mealDate: wednesday }])
})
