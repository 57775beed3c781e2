import * as z from 'zod/mini'
import { endpoint, idParam, messageReply, pageMetadata, rowNumber, wholeNumber } from './endpoint'
import { direction, searchText, yesOrNo } from './sorting'

export const myDiscountCode = endpoint('GET', '/api/discounts/my-discount-code', {
  reply: z.object({ code: z.string(), discountPercentage: z.number() }),
})

const discountCode = z.object({
  id: z.number(),
  code: z.string(),
  userId: z.number(),
  user: z.object({ username: z.string() }),
  discountPercentage: z.number(),
  isActive: z.boolean(),
})
export type DiscountCode = z.infer<typeof discountCode>

/** `created` is when a code was made, `user` the name of the one it is for. */
export const codeSorts = ['created', 'code', 'user', 'discount', 'active'] as const
export type CodeSort = (typeof codeSorts)[number]

/**
 * Newest first unless asked otherwise, 50 a page. `search` is found in the code or its user's name, without regard to
 * case. A filter that is absent takes all.
 */
export const listDiscountCodes = endpoint('GET', '/api/discount-codes', {
  query: z.object({
    page: z.optional(wholeNumber),
    sort: z.optional(z.enum(codeSorts)),
    direction: z.optional(direction),
    search: z.optional(searchText),
    active: z.optional(yesOrNo),
  }),
  reply: z.object({ data: z.array(discountCode), metadata: pageMetadata }),
})

const percentMessage = 'Discount must be between 0 and 100 percent'

export const createDiscountCode = endpoint('POST', '/api/discount-codes', {
  status: 201,
  body: z.object({
    code: z.string().check(z.trim(), z.minLength(3, 'Code must be at least 3 characters'), z.maxLength(40)),
    userId: rowNumber('Please select a user'),
    discountPercentage: z._default(
      z
        .number(percentMessage)
        .check(
          z.gte(0, percentMessage),
          z.lte(100, percentMessage),
          z.multipleOf(0.01, 'At most two decimal places'),
        ),
      10,
    ),
    isActive: z._default(z.boolean(), true),
  }),
  reply: discountCode,
})

export const updateDiscountCode = endpoint('PUT', '/api/discount-codes/:id', {
  params: idParam,
  body: z.object({ isActive: z.boolean() }),
  reply: discountCode,
})

export const deleteDiscountCode = endpoint('DELETE', '/api/discounts/:id', {
  params: idParam,
  reply: messageReply,
})
