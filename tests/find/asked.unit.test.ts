import { parseSearchQuery } from '../../src/modules/find/find.routes'

test.each([
  ['LP-7K3QW9', 'LP7K3QW9%'],
  ['lp 7k3qw9', 'LP7K3QW9%'],
  ['7k3qw9', '7K3QW9%'],
  ['R2000012345', 'R2000012345%'],
  ['LP-7k', 'LP7K%'],
  // What may be a name or an amount is a code as a whole alone.
  ['abe', 'ABE'],
  ['Banda', 'BANDA'],
  ['1200', '1200'],
  ['Müller', null],
  ['-', null],
])('of %p the letters and digits are looked for as a reference: %p', (typed, code) =>
  expect(parseSearchQuery(typed).code).toBe(code),
)

test.each([
  ['+260 97 712 34 56', '977123456'],
  ['00260977123456', '977123456'],
  ['+260 (0)97 712-3456', '977123456'],
  ['0977 123 456', '977123456'],
  ['977123456', '977123456'],
  ['097 7123', '977123'],
  ['26097', '26097'],
  ['120.00', '12000'],
  ['0977', null],
  ['Banda 0977123456', null],
])('the phone number in %p is %p', (typed, phone) => expect(parseSearchQuery(typed).phone).toBe(phone))

test.each([
  ['120', 12_000],
  ['K120.00', 12_000],
  ['ZMW 1,200.50', 120_050],
  ['k 45.5', 4_550],
  ['21474836.47', 2_147_483_647],
  ['21474836.48', null],
  ['977123456', null],
  ['999999999', null],
  ['-120', null],
  ['120.005', null],
  ['Kate', null],
])('the amount in %p is %p ngwee', (typed, amount) => expect(parseSearchQuery(typed).amount).toBe(amount))

test('each of at most six words is looked for', () => {
  expect(parseSearchQuery('  Mutinta   MOYO ').words).toEqual(['mutinta', 'moyo'])
  expect(parseSearchQuery('a b c d e f g h').words).toHaveLength(6)
})

test.each([
  ['2026-000123', { kind: 'receipt', year: 2026, number: 123 }],
  ['2026-123', { kind: 'receipt', year: 2026, number: 123 }],
  ['CN2026-000012', { kind: 'credit_note', year: 2026, number: 12 }],
  ['2026-09-16', null],
  ['Receipt', null],
])('the receipt number in %p is %j', (typed, receipt) =>
  expect(parseSearchQuery(typed).receipt).toEqual(receipt),
)
