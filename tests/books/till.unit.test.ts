import { dayEndOf, type BookedSum } from '#modules/books/journal/day-end.decide'

const date = '2026-09-14'
const sums = (...some: Partial<BookedSum>[]): BookedSum[] =>
  some.map((sum) => ({
    date,
    kind: 'received',
    method: null,
    sentBy: null,
    ofAccount: false,
    amount: 0,
    payments: 0,
    undone: 0,
    ...sum,
  }))
const tillOf = (...some: Partial<BookedSum>[]) =>
  dayEndOf({ from: date, to: date }, sums(...some), { owed: 0, unpaid: 0 }).days[0]!.till

test('a till holds what came in by cash, less what went out in cash, however it was paid in', () => {
  expect(
    tillOf(
      { method: 'cash', amount: 10_000 },
      { method: 'card', amount: 4500 },
      { kind: 'paid_back', method: 'card', amount: 4500 },
      { kind: 'paid_back', method: 'cash', amount: 3000 },
      { kind: 'cash_refund', amount: 4500 },
      { kind: 'credit_paid_out', method: 'cash', amount: 500 },
      { kind: 'credit_paid_out', amount: 700 },
    ),
  ).toEqual({ in: 100, out: 50, expected: 50 })
})

test('a receipt that was undone never was in the till', () => {
  expect(
    tillOf(
      { method: 'cash', amount: 10_000 },
      { kind: 'paid_back', method: 'cash', amount: 4000, undone: 4000 },
      { kind: 'paid_back', method: 'mtn', amount: 4000, undone: 4000 },
    ),
  ).toEqual({ in: 60, out: 0, expected: 60 })
})
