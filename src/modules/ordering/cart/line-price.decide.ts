import { discounted, type Ngwee } from '#kernel/money'

/** What a meal costs and what is to pay after the user's discount (0 to 100 percent). */
export const priced = (originalPrice: Ngwee, discountPercentage: number) => ({
  originalPrice,
  price: discounted(originalPrice, discountPercentage),
  discountPercentage,
})
