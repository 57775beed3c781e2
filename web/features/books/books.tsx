import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import type { AuditEntry, auditEntries } from '#contracts/audit'
import type { ReplyOf } from '#contracts/endpoint'
import { counted } from '../../lib/format'
import { addressWithPage, pageFromAddress } from '../../lib/page-in-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
import { QueryFaces } from '../../ui/query-faces'
import { StackedTable } from '../../ui/stacked-table'
import { entriesQuery } from './api'
import { addressWithFilters, filtersFromAddress } from './book-filters'
import type { OnHistory } from './book-words'
import { EntryRow } from './entry-row'
import { ExportBooks } from './export-books'
import { FilterForm } from './filter-form'

/** Everything that happened to money and orders, newest first; filters and page are in the address. */
export const Books = ({ onHistory }: { onHistory: OnHistory }) => {
  const [search, setSearch] = useSearchParams()
  const filters = filtersFromAddress(search)
  const page = pageFromAddress(search)
  const entries = useQuery(entriesQuery(page, filters))
  const show = (next: URLSearchParams) => setSearch(next, { replace: true })
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterForm
          key={JSON.stringify(filters)}
          filters={filters}
          onApply={(next) => show(addressWithFilters(search, next))}
        />
        <QueryFaces<ReplyOf<typeof auditEntries>>
          query={entries}
          failure="Failed to fetch history"
          isEmpty={({ data }) => data.length === 0 && page === 1}
          empty={<NoEntries filtered={Object.keys(filters).length > 0} />}
        >
          {({ data, pagination }) => (
            <>
              <div className="flex flex-wrap items-center justify-between gap-3">
                <p aria-live="polite" className="money text-sm text-muted">
                  {counted(pagination.totalEntries, 'entry', 'entries')}
                </p>
                <ExportBooks filters={filters} />
              </div>
              <EntryList entries={data} onHistory={onHistory} />
              <Pager
                page={page}
                totalPages={Math.max(pagination.totalPages, page)}
                busy={entries.isPlaceholderData}
                onPage={(next) => show(addressWithPage(search, next))}
              />
            </>
          )}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

const columns = [
  { label: 'Time' },
  { label: 'What' },
  { label: 'Who' },
  { label: 'Amount', className: 'text-right' },
  { label: 'Kind' },
  { label: 'Number', className: 'text-right' },
  { label: 'History', hideLabel: true },
]

const EntryList = ({ entries, onHistory }: { entries: readonly AuditEntry[]; onHistory: OnHistory }) => (
  <StackedTable label="Books" columns={columns}>
    {entries.map((entry) => (
      <EntryRow key={entry.id} entry={entry} onHistory={onHistory} />
    ))}
  </StackedTable>
)

const NoEntries = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No results found" icon="history">
    {filtered
      ? 'Nothing in the books matches these filters. Clear one of them to see more.'
      : 'The books begin with the first checkout.'}
  </EmptyState>
)
