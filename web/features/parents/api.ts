import { keepPreviousData, mutationOptions } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import { addStudent } from '#contracts/identity'
import { createParent, deleteAnyStudent, deleteParent, listParents, updateParent } from '#contracts/parents'
import type { ParentSort } from '#contracts/parents'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

export type ParentsAsked = { page: number; search: string; sort: ParentSort }

/** Read anew whenever it is opened. */
export const parentsQuery = ({ page, search, sort }: ParentsAsked) => ({
  ...endpointQuery('identity', listParents, { query: { page, sort, ...(search ? { search } : {}) } }),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

const onSettled = (
  _data: unknown,
  _error: unknown,
  _input: unknown,
  _before: unknown,
  { client }: { client: QueryClient },
) => refresh(client, 'identity', 'ordering', 'refunds')

export const addParent = mutationOptions({
  mutationFn: (body: BodyOf<typeof createParent>) => call(createParent, { body }),
  onSettled,
})

export const changeParent = mutationOptions({
  mutationFn: ({ id, body }: { id: number; body: BodyOf<typeof updateParent> }) =>
    call(updateParent, { params: { id }, body }),
  onSettled,
})

export const addChild = mutationOptions({
  mutationFn: (body: BodyOf<typeof addStudent>) => call(addStudent, { body }),
  onSettled,
})

type Removal = { id: number; force: boolean }
const forced = (force: boolean) => (force ? { query: { force: 'true' as const } } : {})

export const removeParent = mutationOptions({
  mutationFn: ({ id, force }: Removal) => call(deleteParent, { params: { id }, ...forced(force) }),
  onSettled,
})

export const removeStudent = mutationOptions({
  mutationFn: ({ id, force }: Removal) => call(deleteAnyStudent, { params: { id }, ...forced(force) }),
  onSettled,
})
