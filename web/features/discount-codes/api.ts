import { keepPreviousData, mutationOptions } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import {
  createDiscountCode,
  deleteDiscountCode,
  listDiscountCodes,
  updateDiscountCode,
} from '#contracts/discount-codes'
import { searchUsers } from '#contracts/parents'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'
import type { CodesAsked } from './codes-address'

/** Read again whenever it is opened. */
export const codesQuery = ({ page, search, active, sorting }: CodesAsked) => ({
  ...endpointQuery('ordering', listDiscountCodes, {
    query: {
      page,
      ...sorting,
      ...(search ? { search } : {}),
      ...(active === null ? {} : { active }),
    },
  }),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

/** Users are searched by at least 2 characters (administrator.md section 5). */
export const shortestSearch = 2

export const usersQuery = (text: string) => ({
  ...endpointQuery('identity', searchUsers, { query: { q: text } }),
  enabled: text.length >= shortestSearch,
  placeholderData: keepPreviousData,
})

export const addCode = mutationOptions({
  mutationFn: (body: BodyOf<typeof createDiscountCode>) => call(createDiscountCode, { body }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'ordering'),
})

export const switchCode = mutationOptions({
  mutationFn: ({ id, isActive }: { id: number; isActive: boolean }) =>
    call(updateDiscountCode, { params: { id }, body: { isActive } }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'ordering'),
})

export const removeCode = mutationOptions({
  mutationFn: (id: number) => call(deleteDiscountCode, { params: { id } }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'ordering'),
})
