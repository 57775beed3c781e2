import * as z from 'zod/mini'
import { wholeNumber } from './endpoint'
import { direction, numberUpTo } from './sorting'

/** What a list is asked with beside its filters: at most 100 a page, sorted by one of these keys. */
export const listQuery = <const Keys extends readonly [string, ...string[]]>(keys: Keys) => ({
  page: z.optional(wholeNumber),
  limit: z.optional(numberUpTo(100)),
  sort: z.optional(z.enum(keys)),
  direction: z.optional(direction),
})
