import { getCredit } from '#contracts/credit'
import type { BodyOf } from '#contracts/endpoint'
import { getFamily } from '#contracts/find'
import { type Order, cancelOrders, cancelOrder, listOrders } from '#contracts/ordering'
import { listRefunds } from '#contracts/refunds'
import { undoVerified, verifyPending, confirmStatement, statementRows } from '#contracts/transfers'
import { refused } from '../ordering/canteen'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { airtelFile, uploaded } from '../support/upload-statement'

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

test('with a transaction id that stands on a statement it is owed as money within the hour', async () => {
  const family = await verified('withid', 'HAND 88', 4)
  await uploaded(office(), {
    bytes: airtelFile('HAND88,14/09/2026 06:39:12,0977111111,WITHID,45.50,lunch,Transaction Success'),
  })
  await canteen.prove()
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

test('a transaction id that was typed by hand has paid, on a statement too', async () => {
  const { parent, children } = await canteen.payingFamily('typing', '9')
  const [typed, another] = [
    await order(parent, [canteen.stewFor(children[0]!, 4, { weekNumber: 3 })]),
    await order(parent, [canteen.stewFor(children[0]!, 5, { weekNumber: 3 })]),
  ]
  const office = canteen.superadminClient
  const verify = (orders: { id: string }[], transactionId: string) =>
    office.call(verifyPending, { body: { orderIds: orders.map(({ id }) => id), transactionId } })
  expect(await verify(typed.orders, 'hand 77')).toMatchObject({ updated: 1 })
  expect(await verify(typed.orders, 'HAND77')).toMatchObject({ updated: 1 })
  // A second transfer for the same meals is money that nobody has noted.
  expect(await refused(verify(typed.orders, 'hand 78'))).toMatchObject({ status: 409, code: 'already_paid' })
  expect(await refused(verify(another.orders, ' Hand77'))).toMatchObject({
    status: 409,
    code: 'row_confirmed',
  })
  const bytes = airtelFile('HAND77,14/09/2026 06:39:12,0977111111,TYPING,45.50,lunch,Transaction Success')
  const { id } = await uploaded(office, { bytes })
  const [row] = (await office.call(statementRows, { params: { id }, query: {} })).data
  expect(row).toMatchObject({ state: 'confirmed', transactionId: 'HAND77' })
  const body = { rows: [{ rowId: row!.id, orderIds: another.orders.map((one) => one.id) }] }
  expect(await office.call(confirmStatement, { params: { id }, body })).toMatchObject({
    confirmed: 0,
    skipped: [{ rowId: row!.id, code: 'row_confirmed' }],
  })
})

test('an id typed by hand is compared with every layout: one transfer pays one family', async () => {
  const { parent, children } = await canteen.payingFamily('alike', '9')
  const [first, second] = [
    await order(parent, [canteen.stewFor(children[0]!, 1, { weekNumber: 3 })]),
    await order(parent, [canteen.stewFor(children[0]!, 2, { weekNumber: 3 })], 'alike'),
  ]
  const office = canteen.superadminClient
  const verify = (orders: { id: string }[], transactionId: string) =>
    office.call(verifyPending, { body: { orderIds: orders.map(({ id }) => id), transactionId } })
  const bytes = airtelFile('MP7.1,14/09/2026 06:39:12,0977123123,ALIKE,45.50,lunch,Transaction Success')
  const { id } = await uploaded(office, { bytes })
  const [row] = (await office.call(statementRows, { params: { id }, query: {} })).data
  expect(await refused(verify(first.orders, '0'))).toMatchObject({
    status: 422,
    code: 'not_a_transaction_id',
  })
  const openRow = await refused(verify(first.orders, ' mp7.1'))
  expect(openRow).toMatchObject({ status: 409, code: 'row_on_statement' })
  expect(openRow.message).toContain('MP7.1, K45.50 of 2026-09-14 from ALIKE')
  expect(openRow).toMatchObject({ rowId: row!.id, statementId: id })
  const rows = [{ rowId: row!.id, orderIds: first.orders.map((one) => one.id) }]
  const paid = await office.call(confirmStatement, { params: { id }, body: { rows } })
  expect(paid).toEqual({ confirmed: 1, skipped: [] })
  expect(await refused(verify(second.orders, 'mp-7\u200b1'))).toMatchObject({
    status: 409,
    code: 'row_confirmed',
  })
})

test('twenty transactions that are typed at once need no more connections than there are', async () => {
  const { parent, children } = await canteen.payingFamily('twenty', '9', '9', '10', '10')
  const { orders } = await order(
    parent,
    children.flatMap((child) => [1, 2, 3, 4, 5].map((day) => canteen.stewFor(child, day, { weekNumber: 4 }))),
  )
  const answers = await Promise.all(
    orders.map(({ id }, at) =>
      office().call(verifyPending, { body: { orderIds: [id], transactionId: `TWENTY ${at}` } }),
    ),
  )
  expect(answers).toEqual(orders.map(() => ({ message: '1 payment verified', updated: 1 })))
})

test('a row is not confirmed while its transaction id is being typed', async () => {
  const { parent, children } = await canteen.payingFamily('racing', '9')
  const placed = await order(parent, [canteen.stewFor(children[0]!, 3, { weekNumber: 4 })])
  const bytes = airtelFile('RACE5,14/09/2026 06:39:12,0977111111,RACING,45.50,lunch,Transaction Success')
  const { id } = await uploaded(office(), { bytes })
  const [row] = (await office().call(statementRows, { params: { id }, query: {} })).data
  const rows = [{ rowId: row!.id, orderIds: placed.orders.map((one) => one.id) }]
  const confirm = () => office().call(confirmStatement, { params: { id }, body: { rows } })
  const typing = await canteen.infrastructure.locks.tryAcquire('transaction RACE5')
  expect(await confirm()).toMatchObject({ confirmed: 0, skipped: [{ code: 'row_confirmed' }] })
  await typing!.end()
  expect(await confirm()).toEqual({ confirmed: 1, skipped: [] })
})

test('the same Idempotency-Key with another request is refused; a statement that nobody has is not found', async () => {
  const { parent, children } = await canteen.payingFamily('keys', '9')
  const placed = await order(
    parent,
    [1, 2].map((day) => canteen.stewFor(children[0]!, day, { weekNumber: 4 })),
  )
  const [first, second] = placed.orders.map(({ id }) => id) as [string, string]
  const office = canteen.superadminClient
  const headers = { 'idempotency-key': 'one-key' }
  const verify = (orderIds: string[]) => office.call(verifyPending, { body: { orderIds }, headers })
  expect(await verify([first])).toMatchObject({ updated: 1 })
  expect(await verify([first])).toMatchObject({ updated: 1 })
  const reused = { status: 409, code: 'idempotency_key_reused' }
  expect(await refused(verify([second]))).toMatchObject(reused)
  expect(await refused(office.call(undoVerified, { body: { orderIds: [first] }, headers }))).toMatchObject(
    reused,
  )

  const { id } = await uploaded(office, {
    bytes: airtelFile('KEYS1,14/09/2026,0977,KEYS,45.50,lunch,Transaction Success'),
  })
  const confirm = (statement: number, body: BodyOf<typeof confirmStatement>, key: string) =>
    office.call(confirmStatement, { params: { id: statement }, body, headers: { 'idempotency-key': key } })
  expect(await confirm(id, { allExact: true }, 'confirming')).toEqual({ confirmed: 0, skipped: [] })
  const [row] = (await office.call(statementRows, { params: { id }, query: {} })).data
  const other = { rows: [{ rowId: row!.id, orderIds: [second] }] }
  expect(await refused(confirm(id, other, 'confirming'))).toMatchObject(reused)
  expect(await refused(confirm(999_999, { allExact: true }, 'nowhere'))).toMatchObject({
    status: 404,
    code: 'statement_not_found',
  })
})
