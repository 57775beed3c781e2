import * as fc from 'fast-check'
import { differs } from '#kernel/money'
import { priced } from '#modules/ordering/cart/line-policies.decide'

const price = fc.integer({ min: 0, max: 99_999_999 })
const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)

test.each([
  [4550, 0, 4550],
  [4550, 100, 0],
  [4550, 10, 4095],
  [4550, 33.33, 3033],
  [1, 50, 1],
  [0, 10, 0],
])('%i ngwee with %d percent off are %i', (original, off, toPay) => {
  expect(priced(original, off)).toEqual({ originalPrice: original, price: toPay, discountPercentage: off })
})

test('a discounted price is whole ngwee between nothing and the price', () => {
  fc.assert(
    fc.property(price, percentage, (original, off) => {
      const { price: toPay } = priced(original, off)
      expect(Number.isInteger(toPay)).toBe(true)
      expect(toPay).toBeGreaterThanOrEqual(0)
      expect(toPay).toBeLessThanOrEqual(original)
      expect(Math.abs(toPay - (original * (100 - off)) / 100)).toBeLessThanOrEqual(0.5 + 1e-6)
    }),
  )
})

test('a larger discount never costs more', () => {
  fc.assert(
    fc.property(price, percentage, percentage, (original, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      expect(priced(original, more).price).toBeLessThanOrEqual(priced(original, less).price)
    }),
  )
})

test('a claim in kwacha may be off by one ngwee and no more', () => {
  fc.assert(
    fc.property(price, fc.integer({ min: -3, max: 3 }), (ours, off) => {
      expect(differs(Number(((ours + off) / 100).toFixed(2)), ours)).toBe(Math.abs(off) > 1)
    }),
  )
})
