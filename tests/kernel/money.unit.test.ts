import * as fc from 'fast-check'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { compiled } from '#kernel/event'
import { decimalFromNgwee, discounted, kwachaFromNgwee, ngwee, ngweeFromDecimal } from '#kernel/money'
import { ngweeFromText } from '#kernel/parse-amount'

fc.configureGlobal({ seed: 20260914 })

const price = fc.integer({ min: 0, max: 99_999_999 })
const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)

test.each([
  ['45', 4500],
  ['45.5', 4550],
  ['45.05', 4505],
  ['0', 0],
  ['0.01', 1],
  ['007', 700],
  ['999999999.99', 99_999_999_999],
])('%s kwacha are %d ngwee', (text, amount) => expect(ngweeFromDecimal(text)).toBe(amount))

test.each([
  '',
  ' 45',
  '45 ',
  '-1',
  '+1',
  '1e3',
  '1.',
  '.5',
  '1.234',
  '1,50',
  '٣',
  'NaN',
  '1234567890',
  '45\n',
])('%j is no amount', (text) => expect(ngweeFromDecimal(text)).toBeNull())

test('an amount is written with exactly two places', () => {
  expect([4550, 5, 0, 100].map(decimalFromNgwee)).toEqual(['45.50', '0.05', '0.00', '1.00'])
})

test('an amount written and read again is the same amount', () => {
  fc.assert(fc.property(price, (amount) => expect(ngweeFromDecimal(decimalFromNgwee(amount))).toBe(amount)))
})

test('the number in a reply has the same two decimals as the text', () => {
  fc.assert(
    fc.property(price, (amount) => expect(kwachaFromNgwee(amount).toFixed(2)).toBe(decimalFromNgwee(amount))),
  )
})

test.each([
  [4500, 10, 4050],
  [4500, 0, 4500],
  [4500, 100, 0],
  [5, 50, 3],
  [4, 12.5, 4],
  [9999, 33.33, 6666],
  [1, 50, 1],
  [99_999_999, 99.99, 10_000],
])('%d ngwee less %d %% are %d', (price, percentage, paid) =>
  expect(discounted(price, percentage)).toBe(paid),
)

test('a discounted price is whole, never negative, never above the price, and 100 % is nothing', () => {
  fc.assert(
    fc.property(price, percentage, (price, percentage) => {
      const paid = discounted(price, percentage)
      expect(ngwee.safeParse(paid).success).toBe(true)
      expect(paid).toBeLessThanOrEqual(price)
      expect(discounted(price, 100)).toBe(0)
      expect(discounted(price, 0)).toBe(price)
    }),
  )
})

test('a greater discount never costs more, and the rounding stays within half a ngwee', () => {
  fc.assert(
    fc.property(price, percentage, percentage, (price, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      expect(discounted(price, more)).toBeLessThanOrEqual(discounted(price, less))
      const exact = (price * Math.round((100 - one) * 100)) / 10_000
      expect(Math.abs(discounted(price, one) - exact)).toBeLessThanOrEqual(0.5)
    }),
  )
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is no ngwee', (amount) =>
  expect(ngwee.safeParse(amount).success).toBe(false),
)

test.each([
  ['45', 4500],
  ['45.5', 4550],
  ['45.50', 4550],
  ['.50', 50],
  ['1,234.50', 123_450],
  ['12,345,678.90', 1_234_567_890],
  ['1,234', 123_400],
  ['45,50', 4550],
  ['1.234,50', 123_450],
  ['1 234.50', 123_450],
  ['1\u00a0234,50', 123_450],
  ["1'234.50", 123_450],
  ['1,234.5000', 123_450],
  ['K45.50', 4550],
  ['ZMW 1,000.00', 100_000],
  ['1,000.00 ZMW', 100_000],
  ['+45.50', 4550],
  ['45.50 CR', 4550],
  ['="45.50"', 4550],
  ['-45.50', -4550],
  ['−45.50', -4550],
  ['45.50-', -4550],
  ['K-45.50', -4550],
  ['(45.50)', -4550],
  ['45.50 DR', -4550],
  ['K(45.00)', -4500],
  ['K (45.00)', -4500],
  ['ZMW (1,234.50)', -123_450],
  ['(45.00) ZMW', -4500],
  ['(45.00)K', -4500],
  ['(45.00 ZMW)', -4500],
  ['( K 45.00 )', -4500],
  ['45.00-K', -4500],
  ['45.00- ZMW', -4500],
  ['45.00 zmw -', -4500],
  ['– zk 45.00', -4500],
  ['45.00\u2010', -4500],
  ['45.00K DR', -4500],
  ['dr. K45.00', -4500],
  ['45.00 Debit', -4500],
  ['45.00Cr', 4500],
  ['ZMK\u00a045.00 CR', 4500],
  ['CR ZMW 45.00', 4500],
  ['45.00 kwacha', 4500],
  ['\u200e45.00\u200b', 4500],
  ['1 234 567,50', 123_456_750],
  ['1’234.50', 123_450],
  ['-0.00', 0],
  ['0.00', 0],
  ['0.07', 7],
])('%s is %i ngwee', (text, ngwee) => {
  expect(ngweeFromText(text)).toBe(ngwee)
})

test.each([
  '',
  '-',
  'K',
  'free',
  '1.234',
  '45.505',
  '1,23,4',
  '1.2.3',
  '1e5',
  '12345678901',
  '45.50.',
  '0x10',
  '(45.00',
  '45.00)',
  '45-00',
  '4-5.00',
  '45.-00',
  '4(5).00',
  '(45.00) CR',
  '-45.00 DR',
  '-45.00 CR',
  '(-45.00)',
  '0,045',
  '0 045.00',
  ',45',
  'K,45',
  '1.5k',
  '45k',
  '((45.00))',
  '--45.00',
  '-45.00-',
  '+-45.00',
  'CR 45.00 DR',
  'K45.00 ZMW',
  '4 5',
  '45 00',
  "45'00",
  '1 2345.00',
  '12K50',
  '$45.00',
  'USD 45.00',
  '45.00 %',
  '45.00 X',
  '#VALUE!',
  '#REF!',
  '####',
  '=A1+B2',
  '4.5E+03',
  '∞',
])('%p is no amount, or could be two', (text) => {
  expect(ngweeFromText(text)).toBeNull()
})

const shape = mini.object({
  name: mini.string().check(mini.minLength(2, 'Too short')),
  count: mini.optional(mini.number()),
  kind: mini.nullable(mini.enum(['one', 'other'])),
  lines: mini.array(mini.object({ at: mini.pipe(mini.string(), mini.transform(Number)) })),
})

test('what fits is read as without compiling: turned, and what is not named left out', () => {
  const given = { name: 'Chanda', kind: null, lines: [{ at: '7', more: 1 }], secret: 'x' }
  const read = compiled(shape).parse(given)
  expect(read).toEqual({ name: 'Chanda', kind: null, lines: [{ at: 7 }] })
  expect(JSON.stringify(read)).toBe(JSON.stringify(shape.parse(given)))
})

test('what does not fit is refused in the same words', () => {
  const wrong = { name: 'C', kind: 'third', lines: [{ at: 7 }, null] }
  const issues = compiled(shape).safeParse(wrong).error?.issues
  expect(issues).toHaveLength(4)
  expect(issues).toEqual(shape.safeParse(wrong).error?.issues)
})

test('a schema is compiled once; a strict one still refuses what it does not name', () => {
  const strict = z.strictObject({ id: z.int() })
  expect(compiled(strict)).toBe(compiled(strict))
  expect(compiled(strict)).not.toBe(strict)
  expect(compiled(strict).safeParse({ id: 1, more: 2 }).success).toBe(false)
  expect(compiled(strict).parse({ id: 1 })).toEqual({ id: 1 })
})
