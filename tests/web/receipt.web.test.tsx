import { screen, within } from '@testing-library/react'
import { listOrders } from '#contracts/ordering'
import { getReceipt, type Receipt } from '#contracts/books'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, shownAddress } from './open-portal'
import { order, parent } from './sample-family'

const receipt: Receipt = {
  number: '2026-000123',
  kind: 'receipt',
  at: '2026-09-14T05:00:00.000Z',
  date: '2026-09-14',
  corrects: null,
  creditNotes: [],
  school: { name: 'Lusaka School', tpin: '1001234567', address: 'Church Road' },
  payer: 'Mutinta Mwila',
  method: 'airtel',
  references: ['LP-7K3QW9'],
  providerReference: 'MP260914.0705',
  lines: [
    {
      mealDate: '2026-09-15',
      student: 'Chanda',
      item: 'Stew',
      category: 'beef',
      sideDish: 'rice',
      originalPrice: 45,
      price: 40.5,
      credit: 5,
    },
  ],
  discount: 4.5,
  creditUsed: 5,
  surplus: 10,
  missing: 0,
  amount: 45.5,
  vat: { percent: 16, amount: 6.28 },
}

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const paper = async () => within(await screen.findByRole('article'))

test('a receipt says who paid what, when and how, with VAT and what was beyond the meals', async () => {
  server.on(getReceipt, receipt)
  openPortal('/receipts/2026-000123', parent)
  const paper = (await screen.findByRole('article')).textContent
  for (const words of [
    'Lusaka School',
    'Church Road',
    'TPIN 1001234567',
    'Receipt2026-00012314 September 2026',
    'Received fromMutinta Mwila',
    'Paid byAirtel Money',
    'Our referenceLP-7K3QW9',
    'TransactionMP260914.0705',
    'StewBeef · Rice · Chanda, Tue 15 SeptK45.00',
    'Discount−K4.50',
    'Family credit used−K5.00',
    'Became family creditK10.00',
    'ReceivedK45.50',
    'of it VAT 16 %K6.28',
  ])
    expect(paper).toContain(words)
})

test('a credit note leads to the receipt that it corrects', async () => {
  const note: Receipt = { ...receipt, number: 'CN2026-000001', kind: 'credit_note', corrects: '2026-000123' }
  server.on(getReceipt, ({ params }) =>
    params?.number === '2026-000123' ? { ...receipt, creditNotes: ['CN2026-000001'] } : note,
  )
  const hands = openPortal('/receipts/CN2026-000001', parent)
  expect((await paper()).getByRole('heading', { name: 'Credit note' })).toBeInTheDocument()
  await hands.click((await paper()).getByRole('link', { name: '2026-000123' }))
  expect(await screen.findByRole('heading', { name: 'Receipt' })).toBeInTheDocument()
  expect((await paper()).getByRole('link', { name: 'CN2026-000001' })).toBeInTheDocument()
})

test('one that is not there says so', async () => {
  server.on(getReceipt, () => refusal(404, 'receipt_not_found', 'Receipt not found'))
  openPortal('/receipts/2026-000999', parent)
  expect(await screen.findByText('Receipt not found')).toBeInTheDocument()
})

test('Order History leads to the receipt', async () => {
  server.on(listOrders, [order({ receiptNumber: '2026-000123' }), order({ id: '1.2026-09-22.1' })])
  server.on(getReceipt, receipt)
  const hands = openPortal('/?tab=orders', parent)
  await hands.click(await screen.findByRole('link', { name: 'Receipt 2026-000123' }))
  expect(shownAddress()).toBe('/receipts/2026-000123')
})
