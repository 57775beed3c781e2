import { listParents } from '#contracts/accounts'
import type { QueryOf } from '#contracts/endpoint'
import { roll } from '#contracts/enrolment'
import { listQuery } from '../lib/endpoint-query'

/** The children of the school, also those whom no account has. */
export const rollQuery = (query: QueryOf<typeof roll>) => listQuery('identity', roll, { query })

/** The families' accounts, teachers' among them. */
export const parentsQuery = (query: QueryOf<typeof listParents>) =>
  listQuery('identity', listParents, { query })
