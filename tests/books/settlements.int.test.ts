import { auditEntries } from '#contracts/audit'
import { cancelOrder, listOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { settlementOf, settlements, uploadSettlement, type Settlement } from '#contracts/settlements'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { startFakeDpo, type FakeDpo } from '../payments/providers/fake-dpo'
import { eventually } from '../support/eventually'

let dpo: FakeDpo
let canteen: Canteen
let bursar: Client

beforeAll(async () => {
  dpo = await startFakeDpo({ now: () => new Date('2026-09-14T07:00:00+02:00') })
  const { companyToken, serviceType, createUrl, verifyUrl, payUrl } = dpo.config
  canteen = await openCanteen({
    DPO_COMPANY_TOKEN: companyToken,
    DPO_SERVICE_TYPE: serviceType,
    DPO_CREATE_URL: createUrl,
    DPO_VERIFY_URL: verifyUrl,
    DPO_PAY_URL: payUrl,
  })
  canteen.setClock('2026-09-14T07:00:00+02:00')
  bursar = await canteen.administrator('bursar', 'history', 'refunds')
})
afterAll(async () => {
  await canteen.close()
  await dpo.close()
})

const mapping = { token: 'Token', type: 'Kind', gross: 'Gross', net: 'Paid out' }
const send = async (client: Client, lines: readonly string[], mapped?: object) => {
  const form = new FormData()
  form.set('file', new File([['Token,Kind,Gross,Paid out', ...lines].join('\n')], 'dpo.csv'))
  if (mapped) form.set('mapping', JSON.stringify(mapped))
  const response = await client.fetch(uploadSettlement.path, { method: 'POST', body: form })
  return { status: response.status, body: (await response.json()) as Settlement & { code?: string } }
}

/** Two stews, K91.00, paid by card in one payment. */
const paidByCard = async (username: string) => {
  const { parent, children } = await canteen.payingFamily(username, '9')
  const cartItems = [2, 3].map((day) => canteen.stewFor(children[0]!, day))
  const { TransToken: token } = await parent.call(createPayment, { body: { amount: 91, cartItems } })
  await dpo.leave(token, 'pay')
  await parent.call(verifyPayment, { params: { transactionId: token } })
  const orders = await eventually(async () => {
    const found = (await parent.call(listOrders)) as Order[]
    return found.length === 2 && found
  })
  return { parent, token, orders }
}
const paidBack = async (parent: Client, id: string, method: 'card' | 'cash') => {
  await parent.call(cancelOrder, { params: { id } })
  await eventually(async () => (await bursar.call(listRefunds)).data.some((refund) => refund.id === id))
  await bursar.call(completeRefund, { params: { id }, body: { method } })
}

test('a settlement is mapped once, compared with the card payments and what went back to cards, and kept', async () => {
  const { parent, token, orders } = await paidByCard('mwila')
  await paidBack(parent, orders[0]!.id, 'card')
  await paidBack(parent, orders[1]!.id, 'cash')
  await paidByCard('natasha')
  const lines = [
    `${token},Payment,91.00,80.00`,
    `${token},Refund,-45.00,-45.00`,
    'UNKNOWN,Payment,5.00,5.00',
    'UNKNOWN,Payment,lots,',
    ',,51.00,40.00',
  ]
  expect(await send(bursar, lines)).toMatchObject({
    status: 422,
    body: { code: 'mapping_needed', heads: Object.values(mapping) },
  })
  expect(await send(bursar, lines, { token: 'Token' })).toMatchObject({
    status: 422,
    body: { code: 'validation_failed' },
  })
  expect(await send(bursar, lines, { ...mapping, gross: 'Sum' })).toMatchObject({
    status: 422,
    body: { code: 'mapping_needed' },
  })
  const { status, body } = await send(bursar, lines, mapping)
  expect(status).toBe(201)
  const ours = expect.stringMatching(/^LP-/)
  expect(body).toMatchObject({
    fileName: 'dpo.csv',
    uploadedBy: 'bursar',
    counts: { matched: 1, amount_differs: 1, missing_here: 1, missing_there: 1 },
    totals: { gross: 51, fee: null, reserve: null, net: 40 },
    errors: [{ row: 5, message: 'The amount lots cannot be read' }],
    leftOut: [{ row: 6, reason: 'names no payment', amount: 51 }],
    leftOutCount: 1,
    notes: [],
  })
  expect(body.rows).toEqual([
    { row: 2, type: 'payment', state: 'matched', reference: ours, ours: 91, theirs: 91 },
    { row: 3, type: 'refund', state: 'amount_differs', reference: ours, ours: 45.5, theirs: 45 },
    { row: 4, type: 'payment', state: 'missing_here', reference: 'UNKNOWN', ours: null, theirs: 5 },
    { row: null, type: 'payment', state: 'missing_there', reference: ours, ours: 91, theirs: null },
  ])
  expect(await bursar.call(settlementOf, { params: { id: body.id } })).toEqual(body)
  const again = await send(bursar, [`${body.rows[3]!.reference},Payment,91.00,80.00`])
  expect([again.status, again.body.counts.missing_here]).toEqual([201, 1])
  const { data } = await bursar.call(settlements)
  expect(data.map(({ id }) => id)).toEqual([again.body.id, body.id])
  const entries = await canteen.sweepUntil(async () => {
    const found = (await bursar.call(auditEntries)).data.filter(({ what }) => what.startsWith('Settlement '))
    return found.length === 2 && found
  })
  expect(entries.map(({ what }) => what)).toContain(`Settlement ${body.id} of the card provider compared`)
})

test('whose statuses are not mapped and say that some rows failed asks for them', async () => {
  const form = new FormData()
  const file =
    'Reference,Date,Outcome,Gross\nT1,2026-09-02,Payment failed,60.00\nT2,2026-09-02,Unsettled,70.00\n'
  form.set('file', new File([file], 'dpo.csv'))
  form.set('mapping', JSON.stringify({ token: 'Reference', gross: 'Gross' }))
  const response = await bursar.fetch(uploadSettlement.path, { method: 'POST', body: form })
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { code: 'mapping_needed', guess: { token: 'Reference', gross: 'Gross', status: 'Outcome' } },
  ])
})

test.each([
  [
    'statuses beside mapped types',
    'Reference,Kind,Outcome,Gross\nT1,Payment,Settled,60.00\nT2,Payment,Failed,70.00\n',
    { token: 'Reference', gross: 'Gross', type: 'Kind' },
    { status: 'Outcome' },
  ],
  [
    'types',
    'Reference,Record Type,Gross\nT1,Payment,60.00\nT2,Chargeback,-70.00\nT3,Payout,-80.00\n',
    { token: 'Reference', gross: 'Gross' },
    { type: 'Record Type' },
  ],
  [
    'directions',
    'Reference,Debit or Credit,Gross\nT1,CR,60.00\nT2,DR,70.00\n',
    { token: 'Reference', gross: 'Gross' },
    { direction: 'Debit or Credit' },
  ],
])('whose %s are not mapped asks for them', async (_what, file, given, missing) => {
  const form = new FormData()
  form.set('file', new File([file], 'dpo.csv'))
  form.set('mapping', JSON.stringify(given))
  const response = await bursar.fetch(uploadSettlement.path, { method: 'POST', body: form })
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { code: 'mapping_needed', guess: { ...given, ...missing } },
  ])
})

test('with a row that holds what no database keeps it is read, and says so of that row', async () => {
  const { status, body } = await send(bursar, ['nul\0byte,refund,1.00,1.00', 'short\0'], mapping)
  expect(status).toBe(201)
  expect(body.errors).toEqual([
    { row: 2, message: 'A character of this row cannot be read. Save the file as CSV UTF-8.' },
    { row: 3, message: 'A character of this row cannot be read. Save the file as CSV UTF-8.' },
  ])
})

test('with cells of hundreds of pictures is read, cut between them', async () => {
  const [many, more] = ['😀'.repeat(300), '😀'.repeat(1_500)]
  const { status, body } = await send(
    bursar,
    [`${more},refund,1.00,1.00`, `token,refund,${more},1.00`, `token,refund,${many},${more}`],
    mapping,
  )
  expect(status).toBe(201)
  expect(JSON.stringify(body)).not.toMatch(/\\ud83d(?!\\ude00)/)
})

test('is for the books alone, and an unknown one is not found', async () => {
  const cook = await canteen.administrator('cook', 'kitchen')
  expect((await send(cook, [], mapping)).status).toBe(403)
  await expect(cook.call(settlements)).rejects.toMatchObject({ status: 403 })
  await expect(bursar.call(settlementOf, { params: { id: 999 } })).rejects.toMatchObject({
    status: 404,
    body: { code: 'settlement_not_found' },
  })
})
