import { discounted, type Ngwee } from '#kernel/money'

export const priced = (originalPrice: Ngwee, discountPercentage: number) => ({
  originalPrice,
  price: discounted(originalPrice, discountPercentage),
  discountPercentage,
})
