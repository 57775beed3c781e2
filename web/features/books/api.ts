import { keepPreviousData } from '@tanstack/react-query'
import { auditEntries, auditExport } from '#contracts/audit'
import type { QueryOf } from '#contracts/endpoint'
import { endpointQuery } from '../../lib/endpoint-query'
import type { BookFilters } from './book-filters'

/** Read again whenever it is opened. */
export const entriesQuery = (query: QueryOf<typeof auditEntries>) => ({
  ...endpointQuery('payments', auditEntries, { query }),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

/** Where the server hands out the same entries as a file. */
export const exportAddress = (filters: BookFilters): string => {
  const query = new URLSearchParams(filters).toString()
  return query ? `${auditExport.path}?${query}` : auditExport.path
}
