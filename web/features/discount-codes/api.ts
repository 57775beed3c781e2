import { keepPreviousData } from '@tanstack/react-query'
import type { QueryOf } from '#contracts/endpoint'
import {
  createDiscountCode,
  deleteDiscountCode,
  listDiscountCodes,
  updateDiscountCode,
} from '#contracts/discount-codes'
import { searchUsers } from '#contracts/parents'
import { endpointMutation, endpointQuery, listQuery } from '../../lib/endpoint-query'

export const codesQuery = (query: QueryOf<typeof listDiscountCodes>) =>
  listQuery('ordering', listDiscountCodes, { query })

/** Users are searched by at least 2 characters (administrator.md section 5). */
export const shortestSearch = 2

export const usersQuery = (text: string) => ({
  ...endpointQuery('identity', searchUsers, { query: { q: text } }),
  enabled: text.length >= shortestSearch,
  placeholderData: keepPreviousData,
})

export const addCode = endpointMutation(createDiscountCode, 'ordering')
export const switchCode = endpointMutation(updateDiscountCode, 'ordering')
export const removeCode = endpointMutation(deleteDiscountCode, 'ordering')
