import { parse } from 'csv-parse/sync'
import { saveBooksSettings } from '#contracts/books'
import { getParentCredit, giveCredit } from '#contracts/credit'
import { listCreditBalances, payOutCredits } from '#contracts/credit-balances'
import { createPayment } from '#contracts/payments'
import { listPayouts, payOutCredit } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'

let canteen: Canteen
let bursar: Client
beforeAll(async () => {
  canteen = await openCanteen()
  bursar = await canteen.administrator('bursar', 'refunds')
})
afterAll(() => canteen.close())

const keyed = (key: string) => ({ 'idempotency-key': key })
const give = (id: number, amount: number) =>
  canteen.superadminClient.call(giveCredit, {
    params: { id },
    body: { amount, reason: 'For the long wait' },
    headers: keyed(`give-${id}-${amount}`),
  })
const balances = (query: { page?: number; leaving?: boolean } = {}) =>
  bursar.call(listCreditBalances, { query: query as never })
const payOut = (parentIds: number[], key: string, more: object = {}) =>
  bursar.call(payOutCredits, {
    body: { parentIds, method: 'cash', reference: 'box 1', ...more },
    headers: keyed(key),
  })
const creditOf = (id: number) => bursar.call(getParentCredit, { params: { id } })

test('families with credit are listed, most first, with what is held and who leaves', async () => {
  const [ruth, esther, grace] = [
    await canteen.payingFamily('ruth', '12'),
    await canteen.payingFamily('esther', '9'),
    await canteen.payingFamily('grace', '12'),
  ]
  await canteen.payingFamily('nobody', '3')
  await give(ruth.userId, 12.5)
  await give(esther.userId, 60)
  await give(grace.userId, 7)
  await esther.parent.call(createPayment, {
    body: { amount: 45.5, cartItems: [canteen.stewFor(esther.children[0]!, 2)], useCredit: false },
  })
  const held = { amount: 45.5, cartItems: [canteen.stewFor(ruth.children[0]!, 2)], useCredit: true }
  await ruth.parent.call(createPayment, { body: held })
  const { total, data } = await balances()
  expect(total).toBe(79.5)
  expect(
    data.map(({ username, balance, held: kept, children }) => [
      username,
      balance,
      kept,
      ...children.map(({ grade, leaving }) => `${grade} ${leaving}`),
    ]),
  ).toEqual([
    ['esther', 60, 0, '9 false'],
    ['ruth', 0, 12.5, '12 true'],
    ['grace', 7, 0, '12 true'],
  ])
  const leaving = await balances({ leaving: true })
  expect(leaving.total).toBe(79.5)
  expect(leaving.data.map(({ username }) => username)).toEqual(['ruth', 'grace'])
  expect((await balances({ page: 2 })).data).toEqual([])

  const file = await bursar.fetch('/api/credit/balances/csv?leaving=true')
  const rows: Record<string, string>[] = parse(await file.text(), { bom: true, columns: true })
  expect(rows.map((row) => [row['Username'], row['Credit (K)'], row['Held (K)']])).toEqual([
    ['ruth', '0.00', '12.50'],
    ['grace', '7.00', '0.00'],
    ['', '7.00', '12.50'],
  ])
})

test('lists and payouts are for the feature refunds', async () => {
  const cook = await canteen.administrator('cook', 'kitchen')
  for (const path of ['/api/credit/balances', '/api/credit/balances/csv'])
    expect((await cook.fetch(path)).status).toBe(403)
  const body = { parentIds: [1], method: 'cash' as const }
  expect((await refused(cook.call(payOutCredits, { body, headers: keyed('c') }))).status).toBe(403)
  for (const wrong of [[], Array.from({ length: 201 }, (_, index) => index + 1), [0], ['x']])
    expect((await refused(payOut(wrong as number[], 'w'))).status).toBe(422)
  expect((await refused(payOut([1], 'w', { method: 'gold' }))).status).toBe(422)
})

test('each is paid its whole free balance once, who has none or is no family is skipped', async () => {
  const [mwila, natasha] = [await canteen.payingFamily('mwila'), await canteen.payingFamily('natasha')]
  await give(mwila.userId, 20)
  await give(natasha.userId, 5.25)
  const none = await canteen.payingFamily('kelvin')
  const ids = [mwila.userId, natasha.userId, none.userId, 999_999, mwila.userId]
  const done = await payOut(ids, 'many')
  expect(done).toEqual({
    paid: 2,
    amount: 25.25,
    skipped: [
      { parentId: none.userId, code: 'no_credit', message: 'There is no free credit' },
      { parentId: 999_999, code: 'parent_not_found', message: 'Parent not found' },
    ],
  })
  await give(mwila.userId, 3)
  expect(await payOut(ids, 'many')).toEqual(done)
  expect((await creditOf(mwila.userId)).balance).toBe(3)
  expect((await creditOf(natasha.userId)).entries[0]).toMatchObject({
    kind: 'paidOut',
    amount: -5.25,
    about: { reference: 'box 1' },
    text: 'Paid out (cash)',
  })
  const reused = { status: 409, code: 'idempotency_key_reused' }
  expect(await refused(payOut(ids, 'many', { reference: 'box 2' }))).toMatchObject(reused)
})

test('what one administrator may let go on a day counts all families, the rest waits for another', async () => {
  const limit = { tpin: '', address: '', vatPercent: null, refundApprovalAbove: 30, cardRefunds: false }
  const families = [
    await canteen.payingFamily('leah'),
    await canteen.payingFamily('dinah'),
    await canteen.payingFamily('hannah'),
  ]
  canteen.setClock('2026-09-17T07:00:00+02:00')
  for (const { userId } of families) await give(userId, 20)
  await canteen.superadminClient.call(saveBooksSettings, { body: limit })
  const ids = families.map(({ userId }) => userId)
  const done = await payOut(ids, 'limited')
  const waits = { code: 'approval', message: 'This waits for the approval of another administrator' }
  expect(done).toEqual({
    paid: 1,
    amount: 20,
    skipped: ids.slice(1).map((parentId) => ({ parentId, ...waits })),
  })
  expect(await payOut(ids, 'limited')).toEqual(done)
  const { data } = await bursar.call(listPayouts)
  expect(new Map(data.map(({ parent, amount }) => [parent.id, amount]))).toEqual(
    new Map(ids.slice(1).map((id) => [id, 20])),
  )
  const single = bursar.call(payOutCredit, {
    params: { id: ids[1]! },
    body: { amount: 20, method: 'cash' },
    headers: keyed('single'),
  })
  expect(await single).toMatchObject({ state: 'approval' })
})
