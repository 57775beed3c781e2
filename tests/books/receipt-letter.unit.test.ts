import type { Receipt } from '#contracts/books'
import { receiptLetter } from '#modules/books/receipts/mail-receipt-when-transfer-confirmed.reactor'
import { vatIn } from '#modules/books/receipts/receipts.routes'

const receipt: Receipt = {
  number: '2026-000123',
  kind: 'receipt',
  at: '2026-09-14T05:00:00.000Z',
  date: '2026-09-14',
  corrects: null,
  creditNotes: [],
  school: { name: 'Lusaka School', tpin: '', address: '' },
  payer: 'Mary',
  method: 'airtel',
  references: ['LP-7K3QW9'],
  providerReference: 'MP1',
  lines: [
    {
      mealDate: '2026-09-15',
      student: 'Chanda',
      item: 'Nshima',
      category: 'beef',
      sideDish: 'Cabbage',
      originalPrice: 45.5,
      price: 45.5,
      credit: 5.5,
    },
  ],
  discount: 0,
  creditUsed: 5.5,
  surplus: 10,
  missing: 0,
  amount: 50,
  vat: null,
}

describe('the mail about a payment that has arrived', () => {
  const letter = receiptLetter(receipt, 'https://lunch.example')
  test('has the amount, the meals with their choices, the receipt and where it is', () => {
    expect(letter.text).toBe(`We received your payment of K50.00.
It pays for these meals:
- Nshima (beef, Cabbage) for Chanda on Tuesday, 15 September 2026: K40.00
K10.00 of it is credit of your family now, for your next meals.

Receipt 2026-000123: https://lunch.example/receipts/2026-000123
Payment reference: LP-7K3QW9`)
  })
  test('names nobody where the address was not verified', () => {
    expect(letter.bareText).toContain('- A meal on Tuesday, 15 September 2026: K40.00')
    expect(letter.bareText).not.toMatch(/Chanda|Nshima/)
  })
})

test.each([
  [11_600, 16, 1600],
  [4550, 16, 628],
  [1, 16, 0],
  [4, 100, 2],
  [3, 100, 2],
  [10_000, 17.5, 1489],
])('%i ngwee include at %d percent %i of VAT, rounded half up', (amount, percent, vat) => {
  expect(vatIn(amount, percent)).toBe(vat)
})
