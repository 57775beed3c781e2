import { listOrders, type Order } from '#contracts/ordering'
import { completeRefund, completeRefunds, listRefunds, ownRefunds, refundToCredit } from '#contracts/refunds'
import { refused } from '../ordering/canteen'
import { openApprovalOffice, type ApprovalOffice } from './approval-office'

let office: ApprovalOffice

beforeAll(async () => {
  office = await openApprovalOffice()
  await office.limit(null)
})
afterAll(() => office.canteen.close())

type Way = 'credit' | 'cash' | 'bank'
const back = (id: string, way: Way) =>
  way === 'credit'
    ? office.bursar.call(refundToCredit, { params: { id } })
    : office.bursar.call(completeRefund, { params: { id }, body: { method: way } })
const gone = { status: 409, code: 'refund_paid_back' }

test.each([
  ['mary', 'cash', 'credit'],
  ['ruth', 'credit', 'cash'],
  ['esther', 'cash', 'bank'],
] as const)(
  '%s: what went back in %s does not go back as %s; asked again in its way it is what it was',
  async (name, way, other) => {
    const {
      ids: [id],
    } = await office.owed(name, 2)
    expect(await back(id!, way)).toMatchObject({ status: 'refunded' })
    expect(await refused(back(id!, other))).toMatchObject(gone)
    expect(await back(id!, way)).toMatchObject({ status: 'refunded', amount: 45.5 })
    const many = { ids: [id!], method: other === 'credit' ? ('bank' as const) : other }
    expect(await office.bursar.call(completeRefunds, { body: many })).toMatchObject({
      completed: 0,
      skipped: [{ id, code: 'refund_paid_back' }],
    })
  },
)

test('of a part that went back it is said what did, and what is still owed', async () => {
  const { parent, ids } = await office.owed('naomi', 2)
  const params = { id: ids[0]! }
  const list = async () =>
    (await office.bursar.call(listRefunds, { query: { status: 'all', text: ids[0]! } })).data[0]
  expect(await list()).not.toHaveProperty('paidBack')
  const part = await office.bursar.call(completeRefund, { params, body: { amount: 20, method: 'cash' } })
  expect(part).toMatchObject({ status: 'cancelled', amount: 25.5, paidBack: 20 })
  expect(await list()).toMatchObject({ status: 'cancelled', amount: 25.5, paidBack: 20 })
  expect((await parent.call(ownRefunds)).data).toMatchObject([
    { amount: 45.5, owed: 25.5, paidBack: 20, doneAt: null },
  ])
  expect(((await parent.call(listOrders)) as Order[])[0]).toMatchObject({ status: 'cancelled' })
  await office.bursar.call(refundToCredit, { params })
  expect(await list()).toMatchObject({ status: 'refunded', amount: 45.5 })
  expect((await parent.call(ownRefunds)).data).toMatchObject([
    { amount: 45.5, owed: 0, paidBack: 20, doneAt: expect.any(String) },
  ])
  expect(((await parent.call(listOrders)) as Order[])[0]).toMatchObject({ status: 'refunded' })
})
