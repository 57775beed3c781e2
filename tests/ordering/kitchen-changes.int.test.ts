import { kitchenChanges, notePrint, setOrderStatus } from '#contracts/kitchen'
import {
  cancelOrder,
  changeOrder,
  setAbsence,
  type Order,
  getOrderingRules,
  saveOrderingRules,
} from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { eventually } from '../support/eventually'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
let cook: Client
beforeAll(async () => {
  canteen = await openCanteen()
  cook = await canteen.administrator('cook', 'kitchen')
  const rules = await canteen.superadminClient.call(getOrderingRules)
  await canteen.superadminClient.call(saveOrderingRules, { body: { ...rules, cancelUntil: 'cutoff' } })
})
afterAll(() => canteen.close())
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
