import {
  type MenuItemFields,
  getMenuItem,
  updateMenuItem,
  setArchived,
  setAvailability,
} from '#contracts/catalogue'
import { getCredit } from '#contracts/credit'
import { addStudent } from '#contracts/identity'
import { type CartLine, type Order, changeOrder, listOrders, placeOrders } from '#contracts/ordering'
import { openPayments, createPayment, verifyPayment } from '#contracts/payments'
import { liveOrders, retryAttempt, waiveRemainder, listFailedOrders } from '#contracts/payments-console'
import { listRefunds } from '#contracts/refunds'
import { pendingPayments, confirmStatement, ignoreStatementRow, statementRows } from '#contracts/transfers'
import { listMails } from '../../src/adapters/mail'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { airtelFile, uploaded } from '../support/upload-statement'
import { type AlternativeCanteen, openAlternativeCanteen } from './alternative-canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen({ WITHDRAWN_ITEMS: 'hold' })
  await canteen.set({ enabled: false, beside: true })
})
afterAll(() => canteen.close())

describe('limited portions', () => {
  let fish: number
  beforeEach(async () => {
    at('07:00:00')
    fish = await canteen.cooked('Last fish', '45.50', 1)
  })

  const at = (time: string) => canteen.setClock(`2026-09-14T${time}+02:00`)
  const keptUntil = '2026-09-14T05:30:00.000Z'
  const notice = ': not paid for'

  const sweep = () => canteen.sweepNamed('lapse-unpaid-meals')
  const payLater = (client: Client, cartItems: CartLine[]) =>
    client.call(placeOrders, { body: { cartItems, payBy: 'airtel', useCredit: false } })
  const statusOf = async (client: Client, id: string) =>
    ((await client.call(listOrders)) as Order[]).find((order) => order.id === id)?.status
  const lapsesAt = async (client: Client) =>
    (await client.call(openPayments)).data.map((payment) => payment.lapsesAt)
  const limit = async (id: number, portionLimit: number | null) => {
    const {
      id: _id,
      isArchived: _archived,
      version: _version,
      ...fields
    } = await canteen.superadminClient.call(getMenuItem, {
      params: { id },
    })
    const body = { ...(fields as MenuItemFields), portionLimit }
    await canteen.superadminClient.call(updateMenuItem, { params: { id }, body })
  }

  /** A family with one child, whose Tuesday is ordered on Monday at seven and not paid for: the fish, of which there is one. */
  const withFish = async (username: string) => {
    const family = await canteen.payingFamily(username, '9')
    const line = { ...canteen.stewFor(family.children[0]!, 2), menuItemId: fish }
    const { orders, payment } = await payLater(family.parent, [line])
    return { ...family, line, id: orders[0]!.id, reference: payment!.reference }
  }
  const another = async (username: string) => {
    const { parent, children } = await canteen.payingFamily(username, '9')
    return { parent, line: { ...canteen.stewFor(children[0]!, 2), menuItemId: fish } }
  }
  /** Uploads a payment for the reference, made at this time of Monday, and confirms it for the order. */
  const paidAt = async (time: string, reference: string, id: string) => {
    const line = `P${id},14/09/2026 ${time},0977111111,BWALYA,45.50,${reference},Transaction Success`
    const office = canteen.superadminClient
    const statement = await uploaded(office, { bytes: airtelFile(line) })
    const { data } = await office.call(statementRows, { params: { id: statement.id }, query: {} })
    return office.call(confirmStatement, {
      params: { id: statement.id },
      body: { rows: [{ rowId: data[0]!.id, orderIds: [id] }] },
      headers: { 'idempotency-key': `confirm-${id}` },
    })
  }

  test('an unpaid portion is free for another family after 30 minutes, and its own is told once', async () => {
    const { parent, id } = await withFish('mwila')
    const { text } = await mailTo(canteen, 'mwila@example.org', 'How to pay')
    expect(text).toContain('Pay within 30 minutes, until 07:30 on Monday')
    expect(text).toContain('a meal of it is limited')
    expect(await lapsesAt(parent)).toEqual([keptUntil])
    const { data } = await canteen.superadminClient.call(pendingPayments, { query: { text: 'mwila' } })
    expect(data.map((group) => group.lapsesAt)).toEqual([keptUntil])

    const other = await another('bupe')
    at('07:29:59')
    await sweep()
    expect(await statusOf(parent, id)).toBe('pending')
    expect(await refused(payLater(other.parent, [other.line]))).toMatchObject({
      lines: [{ code: 'sold_out' }],
    })
    at('07:30:00')
    await sweep()
    await eventually(async () => (await statusOf(parent, id)) === 'cancelled')
    await payLater(other.parent, [other.line])
    await sweep()
    await sweep()
    const { text: told } = await mailTo(canteen, 'mwila@example.org', notice)
    expect(told).toContain('you owe nothing')
    const mails = await listMails(canteen.dataDir)
    const ofMwila = mails.filter(({ to }) => to.includes('mwila@example.org'))
    expect(ofMwila.filter(({ subject }) => subject.includes(notice))).toHaveLength(1)
    const contexts = canteen.modules.filter((module) => module.name === 'ordering')
    await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled: ['ordering.orders'] })
  })

  test('a meal without a limit stays, also one whose limit is removed or comes later', async () => {
    const { parent, id } = await withFish('chola')
    const stew = await canteen.payingFamily('grace', '9')
    const menuItemId = await canteen.cooked('Common stew', '45.50')
    const { orders } = await payLater(stew.parent, [{ ...canteen.stewFor(stew.children[0]!, 2), menuItemId }])
    await limit(fish, null)
    await limit(menuItemId, 5)
    at('07:45:00')
    await sweep()
    expect(await lapsesAt(parent)).toEqual([null])
    expect(await statusOf(parent, id)).toBe('pending')
    expect(await statusOf(stew.parent, orders[0]!.id)).toBe('pending')
  })

  test('what is paid for stays, and what an open row of a statement could pay for', async () => {
    const paid = await withFish('natasha')
    await canteen.verify([paid.id])
    await limit(fish, 2)
    const named = await withFish('bwalya')
    const office = canteen.superadminClient
    const line = `MP1,14/09/2026 07:10,0977111111,BWALYA,20.00,${named.reference},Transaction Success`
    const { id } = await uploaded(office, { bytes: airtelFile(line) })
    at('07:40:00')
    await sweep()
    expect(await statusOf(paid.parent, paid.id)).toBe('pending')
    expect(await statusOf(named.parent, named.id)).toBe('pending')
    const { data } = await office.call(statementRows, { params: { id }, query: {} })
    await office.call(ignoreStatementRow, { params: { id: data[0]!.id } })
    await sweep()
    await eventually(async () => (await statusOf(named.parent, named.id)) === 'cancelled')
  })

  test('a transfer of before places it again while its portion is left', async () => {
    const one = await withFish('luyando')
    at('07:31:00')
    await sweep()
    await eventually(async () => (await statusOf(one.parent, one.id)) === 'cancelled')
    await paidAt('07:20', one.reference, one.id)
    expect(await statusOf(one.parent, one.id)).toBe('pending')
  })

  test('a transfer of before becomes credit when somebody else has the portion', async () => {
    const one = await withFish('thabo')
    const other = await another('mulenga')
    at('07:31:00')
    await sweep()
    await eventually(async () => (await statusOf(one.parent, one.id)) === 'cancelled')
    await payLater(other.parent, [other.line])
    await paidAt('07:20', one.reference, one.id)
    expect(await statusOf(one.parent, one.id)).toBe('cancelled')
    await eventually(async () => (await one.parent.call(getCredit)).balance === 45.5)
  })

  test('who changes to a limited meal has 30 minutes from then on, and no more by changing on', async () => {
    const { parent, children } = await canteen.payingFamily('mutale', '9')
    const { orders } = await payLater(parent, [canteen.stewFor(children[0]!, 2)])
    const { id } = orders[0]!
    expect(await lapsesAt(parent)).toEqual([null])
    const to = (menuItemId: number) =>
      parent.call(changeOrder, {
        params: { id },
        body: { menuItemId, category: 'beef', sideDish: null, comments: '', discountedPrice: 45.5 },
      })
    const pie = await canteen.cooked('Last pie', '45.50', 1)
    at('07:10:00')
    await to(fish)
    at('07:20:00')
    await to(pie)
    expect(await lapsesAt(parent)).toEqual(['2026-09-14T05:40:00.000Z'])
    at('07:40:00')
    await sweep()
    await eventually(async () => (await statusOf(parent, id)) === 'cancelled')
  })
})

describe('withdrawn items', () => {
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  const withdrawn = 'This meal was taken off the menu after it was paid for'
  const offer = async (isAvailable: boolean) => {
    const params = { id: canteen.items.stew.id }
    await canteen.superadminClient.call(setAvailability, { params, body: { isAvailable } })
    await canteen.superadminClient.call(setArchived, { params, body: { isArchived: !isAvailable } })
  }

  /** Stew for Tuesday, paid on the provider's page; before anybody knows the stew is taken off the menu. */
  const paidAndWithdrawn = async (username: string) => {
    const parent = await canteen.parent(username, { email: `${username}@example.org` })
    const child = await parent.call(addStudent, { body: { name: `Child of ${username}`, grade: '9' } })
    const body = { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] }
    const { TransToken } = await parent.call(createPayment, { body })
    await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'outcome=slow&card=4111111111111111',
    })
    await offer(false)
    canteen.setClock('2026-09-14T07:03:00+02:00')
    const told = await parent.call(verifyPayment, { params: { transactionId: TransToken } })
    const { data } = await canteen.superadminClient.call(liveOrders, { query: { transactionId: TransToken } })
    return { parent, told, params: { id: data[0]!.id } }
  }

  test('a withdrawn meal waits under Order Recovery, and is ordered once an administrator retries', async () => {
    const { parent, told, params } = await paidAndWithdrawn('withdrawn.mutale')
    expect(told).toMatchObject({ success: true, attention: [expect.stringContaining(withdrawn)] })
    expect(await parent.call(listOrders)).toEqual([])
    const office = await canteen.administrator('recovery', 'order_recovery')
    const { data } = await office.call(listFailedOrders, { query: {} })
    expect(data).toMatchObject([
      {
        id: params.id,
        status: 'Failed to create orders during recovery',
        error: withdrawn,
        cartItems: [{ reason: withdrawn, orderId: null }],
        allowed: { retry: true, waive: true },
      },
    ])
    expect(await office.call(retryAttempt, { params })).toMatchObject({ success: true })
    expect(await parent.call(listOrders)).toMatchObject([{ dayOfWeek: 2, discountedPrice: 45.5 }])
    await offer(true)
  })

  test('or its money goes back', async () => {
    const { params } = await paidAndWithdrawn('withdrawn.bwalya')
    const waived = await canteen.superadminClient.call(waiveRemainder, {
      params,
      body: { reason: 'The stew is gone' },
    })
    expect(waived).toEqual({ message: 'Refund of K45.50 due' })
    await eventually(async () => {
      const { data } = await canteen.superadminClient.call(listRefunds, { query: {} })
      expect(data.map(({ amount }) => amount)).toEqual([45.5])
    })
    await offer(true)
  })
})
