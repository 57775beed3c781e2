import { auditEntries, auditExport } from '#contracts/audit'
import type { QueryOf } from '#contracts/endpoint'
import { listQuery } from '../../lib/endpoint-query'
import type { BookFilters } from './filter-form'

export const entriesQuery = (query: QueryOf<typeof auditEntries>) =>
  listQuery('payments', auditEntries, { query })

/** Where the server hands out the same entries as a file. */
export const exportAddress = (filters: BookFilters): string => {
  const query = new URLSearchParams(filters).toString()
  return query ? `${auditExport.path}?${query}` : auditExport.path
}
