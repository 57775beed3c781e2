import { discounted, type Ngwee } from '#kernel/money'

/** What a meal costs and what is to pay after the user's discount (0 to 100 percent). */
export const priced = (originalPrice: Ngwee, discountPercentage: number) => ({
  originalPrice,
  price: discounted(originalPrice, discountPercentage),
  discountPercentage,
})

// A claim in kwacha may be 0.01 off; the rest is what floating point adds to that.
const toleranceNgwee = 1.000_001

/** Whether a price in kwacha that the browser claims is more than 0.01 away from ours. */
export const differs = (claimedKwacha: number, ours: Ngwee): boolean =>
  Math.abs(claimedKwacha * 100 - ours) > toleranceNgwee
