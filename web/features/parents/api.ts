import { keepPreviousData, mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { BodyOf, QueryOf } from '#contracts/endpoint'
import { addStudent } from '#contracts/identity'
import { createParent, deleteAnyStudent, deleteParent, listParents, updateParent } from '#contracts/parents'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read again whenever it is opened. */
export const parentsQuery = (query: QueryOf<typeof listParents>) => ({
  ...endpointQuery('identity', listParents, { query }),
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
