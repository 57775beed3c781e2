import * as z from 'zod/mini'
import { decimalFromNgwee, discounted, ngweeFromDecimal } from '#kernel/money'
import { endpoint } from './endpoint'

const accountCode = z.object({ code: z.string(), discountPercentage: z.number() })

export const myDiscountCode = endpoint('GET', '/api/discounts/my-discount-code', { reply: accountCode })

/** `children`: every child whom the caller orders for, with what its lines cost less: the higher of the account's code and its own. */
export const myDiscounts = endpoint('GET', '/api/discounts/mine', {
  reply: z.object({
    account: z.nullable(accountCode),
    children: z.array(z.object({ studentId: z.number(), discountPercentage: z.number() })),
  }),
})

/** The item at what the child, or the account, pays for it. */
export const pricedFor = <Item extends { price: string }>(item: Item, discountPercentage: number) => {
  if (discountPercentage === 0) return item
  const price = ngweeFromDecimal(item.price) ?? 0
  return {
    ...item,
    discountPrice: decimalFromNgwee(discounted(price, discountPercentage)),
    discountPercentage,
  }
}
