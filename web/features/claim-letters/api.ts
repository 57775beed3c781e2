import { mutationOptions } from '@tanstack/react-query'
import type { QueryOf } from '#contracts/endpoint'
import { portal } from '#contracts/identity'
import { roll } from '#contracts/roll'
import { claimCodes } from '#contracts/roll-import'
import { call } from '../../lib/call'
import { endpointQuery, listQuery } from '../../lib/endpoint-query'

/** Whose letters they are. */
export const schoolQuery = endpointQuery('identity', portal, {})

type Filters = Pick<QueryOf<typeof roll>, 'text' | 'class'>

/** Children at the school whom no account has, by class. */
const waiting = (filters: Filters) =>
  ({ ...filters, claimed: false, left: false, sort: 'class' }) satisfies QueryOf<typeof roll>

export const waitingQuery = (filters: Filters & { page: number }) =>
  listQuery('identity', roll, { query: waiting(filters) })

const mostPerPage = 100

const everyoneOf = async (filters: Filters): Promise<number[]> => {
  const ids: number[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { ...waiting(filters), page, limit: mostPerPage }
    const { data, metadata } = await call(roll, { query })
    ids.push(...data.map(({ id }) => id))
    pages = metadata.totalPages
  }
  return ids
}

/** Who gets a letter: chosen children, or all that are found. */
export type Addressed = { ids: readonly number[] } | { all: Filters }

export const makeLetters = mutationOptions({
  mutationFn: async (to: Addressed) => {
    const studentIds = 'ids' in to ? [...to.ids] : await everyoneOf(to.all)
    return call(claimCodes, { body: { studentIds } })
  },
})
