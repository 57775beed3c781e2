import * as fc from 'fast-check'
import { decimalFromNgwee, discounted, kwachaFromNgwee, ngwee, ngweeFromDecimal } from '#kernel/money'

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
