import { getCredit } from '#contracts/credit'
import { getFamily } from '#contracts/find'
import { cancelOrders, cancelOrder, listOrders, type Order } from '#contracts/ordering'
import { undoVerified, verifyPending, confirmStatement, statementRows } from '#contracts/transfers'
import { listRefunds } from '#contracts/refunds'
import { refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { airtelFile, uploaded } from '../support/upload-statement'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())

const office = () => canteen.superadminClient

/** A family with an order that the office verified, with or without a transaction id. */
const verified = async (username: string, transactionId: string | null, dayOfWeek: number) => {
  const { parent, userId, children } = await canteen.payingFamily(username, '9')
  const placed = await order(parent, [canteen.stewFor(children[0]!, dayOfWeek, { weekNumber: 2 })])
  const id = placed.orders[0]!.id
  await office().call(verifyPending, { body: { orderIds: [id], transactionId } })
  return { parent, userId, id }
}

const owedTo = async (text: string) => {
  const { data } = await office().call(listRefunds, { query: { status: 'all', text } })
  return data.map(({ status, amount }) => ({ status, amount }))
}

test('money that only an administrator has seen goes back as credit, whoever cancels', async () => {
  const family = await verified('seenonly', null, 2)
  await family.parent.call(cancelOrder, { params: { id: family.id } })
  await eventually(async () =>
    expect(await family.parent.call(getCredit, {})).toMatchObject({ balance: 45.5 }),
  )
  expect(await owedTo('seenonly')).toEqual([])
  const { money } = await office().call(getFamily, { params: { id: family.userId } })
  expect(money.payments[0]!.inWords).toContain('(by hand, no id)')

  const other = await verified('seentoo', null, 5)
  await office().call(cancelOrders, { body: { orderIds: [other.id], reason: 'No gas', remedy: 'refund' } })
  await eventually(async () =>
    expect(await other.parent.call(getCredit, {})).toMatchObject({ balance: 45.5 }),
  )
})

test('with a transaction id it is owed as money within the hour', async () => {
  const family = await verified('withid', 'HAND 88', 4)
  await family.parent.call(cancelOrder, { params: { id: family.id } })
  expect(await family.parent.call(getCredit, {})).toMatchObject({ balance: 0 })
  // A refund is opened by what follows the events.
  await eventually(async () =>
    expect(await owedTo('withid')).toEqual([{ status: 'cancelled', amount: 45.5 }]),
  )
})

test('one of the meals that a row of a statement pays is not taken back alone', async () => {
  const { parent, children } = await canteen.payingFamily('partly', '9')
  const { orders } = await order(
    parent,
    [1, 2].map((day) => canteen.stewFor(children[0]!, day, { weekNumber: 3 })),
  )
  const orderIds = orders.map((one) => one.id)
  const bytes = airtelFile('PART1,14/09/2026 06:39:12,0977111111,PARTLY,91.00,lunch,Transaction Success')
  const { id } = await uploaded(office(), { bytes })
  const [row] = (await office().call(statementRows, { params: { id }, query: {} })).data
  const body = { rows: [{ rowId: row!.id, orderIds }] }
  expect(await office().call(confirmStatement, { params: { id }, body })).toMatchObject({ confirmed: 1 })
  const undo = (ids: string[]) => office().call(undoVerified, { body: { orderIds: ids } })
  const paid = async () =>
    ((await parent.call(listOrders)) as Order[]).filter(({ paymentStatus }) => paymentStatus === 'confirmed')
      .length

  expect(await refused(undo(orderIds.slice(0, 1)))).toMatchObject({ status: 409, code: 'part_of_row' })
  expect(await paid()).toBe(2)
  expect(await undo(orderIds)).toMatchObject({ updated: 2 })
  expect(await paid()).toBe(0)
})
