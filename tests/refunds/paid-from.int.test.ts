import { deleteParent, updateParent } from '#contracts/accounts'
import { getReceipt } from '#contracts/books'
import { find, getFamily } from '#contracts/find'
import { listOrders, placeOrders, type Order } from '#contracts/ordering'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { attemptHistory, liveOrders, orderHistory } from '#contracts/payments-console'
import { confirmStatement, statementRows, undoStatementRow, verifyPending } from '#contracts/transfers'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { superadminPassword } from '../support/school'
import { logContents } from '../support/school-contents'
import { airtelFile, uploaded } from '../support/upload-statement'
import { type CardOffice, openCardOffice } from './card-office'

let school: CardOffice
let office: Client
beforeAll(async () => {
  school = await openCardOffice()
  office = school.canteen.superadminClient
  const settings = await office.call(getPaymentBypass)
  await office.call(savePaymentBypass, {
    body: {
      ...settings,
      prompt: true,
      beside: true,
      bankTransfer: { ...settings.bankTransfer, accountNumber: '12' },
      currentPassword: superadminPassword,
    },
  })
})
afterAll(() => school.close())

const shown = (end: string, own: boolean) => ({ phone: `+260 97• ••• ${end}`, own })

const withPhone = async (username: string, phone: string) => {
  const { rows } = await school.canteen.infrastructure.database.pool.query<{ id: number }>(
    'select id from identity.users where username = $1',
    [username],
  )
  const id = rows[0]!.id
  await office.call(updateParent, { params: { id }, body: { username, name: username, email: '', phone } })
  return id
}

/** What each place says of the phone that paid this family's payment. */
const places = async (familyId: number, id: string, number: string) => {
  const receipt = (await office.call(getReceipt, { params: { number } })).paidFrom
  const page = await office.call(getFamily, { params: { id: familyId } })
  const { data } = await office.call(liveOrders)
  const { payments } = await office.call(find, { query: { q: page.parent.username } })
  return {
    refund: (await school.listed(id))?.paidFrom,
    receipt,
    family: page.money.payments.map(({ paidFrom }) => paidFrom),
    live: data.filter(({ username }) => username === page.parent.username).map(({ paidFrom }) => paidFrom),
    find: payments.map(({ paidFrom }) => paidFrom),
  }
}
const everywhere = (told: unknown) => ({
  refund: told,
  receipt: told,
  family: [told],
  live: [told],
  find: [told],
})
const receiptOf = async (parent: Client): Promise<string> =>
  ((await parent.call(listOrders)) as Order[]).flatMap(({ receiptNumber }) => receiptNumber ?? [])[0]!

describe('a prompt that another phone approved', () => {
  let parent: Client
  let familyId: number
  let refundId: string
  let number: string
  beforeAll(async () => {
    const paid = await school.paidByPhone('sender', '0977 400 001')
    parent = paid.parent
    familyId = await withPhone('sender', '0977 400 009')
    await school.cancelled(parent, [paid.first])
    refundId = paid.first.id
    number = await receiptOf(parent)
  })

  test('stands in every place, masked, and is not the account’s', async () => {
    expect(await places(familyId, refundId, number)).toEqual(everywhere(shown('001', false)))
  })

  test('is the account’s, whether verified or not, once the account has that number', async () => {
    await withPhone('sender', '+260 977 400 001')
    expect(await places(familyId, refundId, number)).toEqual(everywhere(shown('001', true)))
    await withPhone('sender', '0977 400 009')
  })

  test('is found by its whole number in any form, not by a part of it', async () => {
    const foundBy = async (q: string) =>
      (await office.call(find, { query: { q } })).payments.map(({ username }) => username)
    for (const q of ['0977400001', '+260 977 400 001', '00260977400001', '977400001'])
      expect({ q, by: await foundBy(q) }).toEqual({ q, by: ['sender'] })
    expect(await foundBy('7400001')).toEqual([])
  })

  test('stands in the history, masked', async () => {
    const { data } = await office
      .call(find, { query: { q: 'sender' } })
      .then(({ payments }) => office.call(attemptHistory, { params: { id: payments[0]!.id } }))
    expect(data.map(({ details }) => details['Phone']).filter(Boolean)).toEqual(['+260 97• ••• 001'])
  })

  test('is told whole to nobody: no answer, no event and no row of the history holds it', async () => {
    const { pool } = school.canteen.infrastructure.database
    const answers = [
      await office.call(liveOrders),
      await office.call(find, { query: { q: 'sender' } }),
      await school.listed(refundId),
      await office.call(getReceipt, { params: { number } }),
      await office.call(getFamily, { params: { id: familyId } }),
      (await pool.query('select * from audit.entries')).rows,
      await logContents(school.canteen.infrastructure.eventStore),
    ]
    expect(JSON.stringify(answers)).not.toMatch(/977 ?400 ?001/)
  })

  test('its family sees it on the receipt, masked; other families and the kitchen nowhere', async () => {
    const params = { number }
    expect((await parent.call(getReceipt, { params })).paidFrom).toEqual(shown('001', false))
    const stranger = await school.canteen.parent('stranger')
    expect(await refused(stranger.call(getReceipt, { params }))).toMatchObject({ status: 404 })
    for (const feature of ['kitchen', 'menu'] as const) {
      const one = await school.canteen.administrator(`only-${feature}`, feature)
      expect(await refused(one.call(getReceipt, { params }))).toMatchObject({ status: 404 })
      for (const call of [
        one.call(liveOrders),
        one.call(find, { query: { q: '0977400001' } }),
        one.call(getFamily, { params: { id: familyId } }),
        one.call(attemptHistory, { params: { id: refundId } }),
      ].map(refused))
        expect(await call).toMatchObject({ status: 403 })
      for (const path of ['/api/serving', '/api/kitchen', '/api/orders'])
        expect(await (await one.fetch(`${path}?date=2026-09-15`)).text()).not.toMatch(/paidFrom|977 ?400|•/)
    }
    const own = JSON.stringify((await parent.call(listOrders)) as Order[])
    expect(own).not.toContain('paidFrom')
  })

  test('of a deleted family nothing is left', async () => {
    const { pool } = school.canteen.infrastructure.database
    const { rows } = await pool.query(`select attempt from payments.attempts where user_id = ${familyId}`)
    expect(JSON.stringify(rows)).toContain('977400001')
    await office.call(deleteParent, { params: { id: familyId }, query: { force: 'true', giveUp: 'sender' } })
    const after = await pool.query(`select attempt from payments.attempts where user_id = ${familyId}`)
    expect(JSON.stringify(after.rows)).not.toContain('977400001')
    expect((await school.listed(refundId))?.paidFrom).toBeNull()
  })
})

describe('a transfer on a statement', () => {
  const ordered = async (username: string) => {
    const { parent, userId, children } = await school.canteen.payingFamily(username, '9')
    const cartItems = [school.canteen.stewFor(children[0]!, 2)]
    const { orders } = await parent.call(placeOrders, { body: { cartItems, payBy: 'bank' } })
    return { parent, userId, order: orders[0]! }
  }
  /** Answers the id of the statement's row. */
  const confirmed = async (line: string, orderId: string) => {
    const { id } = await uploaded(office, { bytes: airtelFile(line) })
    const { data } = await office.call(statementRows, { params: { id } })
    const rowId = data[0]!.id
    const body = { rows: [{ rowId, orderIds: [orderId] }] }
    expect(await office.call(confirmStatement, { params: { id }, body })).toMatchObject({ confirmed: 1 })
    return rowId
  }

  test('says the phone of its row in every place, until its family is deleted', async () => {
    const { parent, userId, order } = await ordered('depositor')
    await confirmed('PP1,2026-09-14 06:30:00,977400002,SOMEBODY ELSE,45.50,,Successful', order.id)
    await school.cancelled(parent, [order as Order])
    expect(await places(userId, order.id, await receiptOf(parent))).toEqual(everywhere(shown('002', false)))
    const found = await office.call(find, { query: { q: '0977400002' } })
    expect(found.payments.map(({ username }) => username)).toEqual(['depositor'])
    const { data } = await office.call(orderHistory, { params: { id: order.id } })
    expect(data.map(({ details }) => details['Phone']).filter(Boolean)).toEqual(['+260 97• ••• 002'])
    const events = await logContents(school.canteen.infrastructure.eventStore)
    expect(JSON.stringify(events)).not.toContain('977400002')

    const { pool } = school.canteen.infrastructure.database
    const kept = async () =>
      (await pool.query(`select phone from transfers.transfers where user_ids = array[${userId}]`)).rows
    expect(await kept()).toEqual([{ phone: '+260977400002' }])
    const query = { force: 'true', giveUp: 'depositor' }
    await office.call(deleteParent, { params: { id: userId }, query })
    expect(await kept()).toEqual([{ phone: null }])
  })

  test('says it too where its transaction id was verified by hand before', async () => {
    const { parent, userId, order } = await ordered('earlier')
    const body = { orderIds: [order.id], transactionId: 'PP260914.0640.D1' }
    await office.call(verifyPending, { body })
    const { paidFrom } = (await office.call(getFamily, { params: { id: userId } })).money.payments[0]!
    expect(paidFrom).toBeNull()
    const line = 'PP260914.0640.D1,2026-09-14 06:40:00,977400004,SOMEBODY ELSE,45.50,,Successful'
    await uploaded(office, { bytes: airtelFile(line) })
    await school.cancelled(parent, [order as Order])
    expect(await places(userId, order.id, await receiptOf(parent))).toEqual(everywhere(shown('004', false)))
  })

  test('undone it is of nobody', async () => {
    const { userId, order } = await ordered('mistaken')
    const rowId = await confirmed(
      'PP2,2026-09-14 06:30:00,977400003,SOMEBODY ELSE,45.50,,Successful',
      order.id,
    )
    const paid = async () =>
      (await office.call(getFamily, { params: { id: userId } })).money.payments.map(
        ({ paidFrom }) => paidFrom,
      )
    expect(await paid()).toEqual([shown('003', false)])
    await office.call(undoStatementRow, { params: { id: rowId } })
    expect(await eventually(async () => (await paid())[0] === null)).toBe(true)
  })
})

test('by card nobody’s phone paid', async () => {
  const { first } = await school.owedByCard('carded', null)
  expect((await school.listed(first))?.paidFrom).toBeNull()
})
