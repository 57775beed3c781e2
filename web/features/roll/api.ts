import type { QueryOf } from '#contracts/endpoint'
import { updateStudent } from '#contracts/identity'
import { listParents } from '#contracts/parents'
import { mergeStudent, moveStudent, roll } from '#contracts/roll'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'

export const rollQuery = (query: QueryOf<typeof roll>) => listQuery('identity', roll, { query })

/** How many children or accounts are shown that were looked for by a name. */
const mostFound = 20

/** Children in whom this text is found. */
export const childrenQuery = (text: string) => rollQuery({ text, limit: mostFound })

/** Accounts are searched by at least so many characters (administrator.md section 3). */
export const shortestSearch = 3

/** Accounts in which this text is found, teachers' among them. */
export const accountsQuery = (search: string) => ({
  ...listQuery('identity', listParents, { query: { search, limit: mostFound } }),
  enabled: search.length >= shortestSearch,
})

export const edit = endpointMutation(updateStudent, 'identity', 'ordering')
export const move = endpointMutation(moveStudent, 'identity', 'ordering')
export const merge = endpointMutation(mergeStudent, 'identity', 'ordering')
