import { listParents } from '#contracts/accounts'
import type { QueryOf } from '#contracts/endpoint'
import { roll } from '#contracts/enrolment'
import { listQuery } from '../lib/endpoint-query'

/** Also children without an account. */
export const rollQuery = (query: QueryOf<typeof roll>) => listQuery('identity', roll, { query })

/** Includes teachers. */
export const parentsQuery = (query: QueryOf<typeof listParents>) =>
  listQuery('identity', listParents, { query })
