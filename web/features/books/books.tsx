import { useQuery } from '@tanstack/react-query'
import { type auditEntries, type AuditEntry, type EntrySort, entrySorts } from '#contracts/audit'
import type { ReplyOf } from '#contracts/endpoint'
import { counted } from '../../lib/format'
import { bothWays } from '../../lib/both-ways'
import { type Sorting, useListAddress } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Paged } from '../../ui/paged'
import { QueryFaces } from '../../ui/query-faces'
import type { SortProps } from '../../ui/sort-head'
import { SortSelect } from '../../ui/sort-select'
import { type StackedColumn, StackedTable } from '../../ui/stacked-table'
import { entriesQuery } from './api'
import { filtersFromAddress, parametersOf } from './book-filters'
import type { OnHistory } from './book-words'
import { EntryRow } from './entry-row'
import { ExportBooks } from './export-books'
import { FilterForm } from './filter-form'

const newestFirst: Sorting<EntrySort> = { sort: 'time', direction: 'desc' }

/** Everything that happened to money and orders; filters, order and page are in the address. */
export const Books = ({ onHistory }: { onHistory: OnHistory }) => {
  const list = useListAddress(entrySorts, newestFirst)
  const filters = filtersFromAddress(list.address)
  const entries = useQuery(entriesQuery({ ...list.asked, ...filters }))
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterForm
          key={JSON.stringify(filters)}
          filters={filters}
          onApply={(next) => list.onFilter(parametersOf(next))}
        />
        <QueryFaces<ReplyOf<typeof auditEntries>>
          query={entries}
          failure="Failed to fetch history"
          isEmpty={({ pagination }) => pagination.totalEntries === 0}
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
              <Paged
                page={list.page}
                totalPages={pagination.totalPages}
                busy={entries.isPlaceholderData}
                onPage={list.onPage}
              >
                {data.length === 0 ? null : (
                  <EntryList entries={data} sorted={list.sorted} onHistory={onHistory} />
                )}
              </Paged>
            </>
          )}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

const orders = [
  ...bothWays<EntrySort>('time', 'Time', 'age'),
  ...bothWays<EntrySort>('kind', 'Kind', 'text'),
  ...bothWays<EntrySort>('amount', 'Amount', 'number'),
]

const columns: readonly StackedColumn<EntrySort>[] = [
  { label: 'Time', by: 'time' },
  { label: 'What' },
  { label: 'Who' },
  { label: 'Amount', by: 'amount', className: 'text-right' },
  { label: 'Kind', by: 'kind' },
  { label: 'Number', className: 'text-right' },
  { label: 'History', hideLabel: true },
]

type EntryListProps = {
  entries: readonly AuditEntry[]
  sorted: SortProps<EntrySort>
  onHistory: OnHistory
}

const EntryList = ({ entries, sorted, onHistory }: EntryListProps) => (
  <>
    <SortSelect choices={orders} className="w-full sm:w-64 xl:hidden" {...sorted} />
    <StackedTable label="Books" columns={columns} sorted={sorted}>
      {entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} onHistory={onHistory} />
      ))}
    </StackedTable>
  </>
)

const NoEntries = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No results found" icon="history">
    {filtered
      ? 'Nothing in the books matches these filters. Clear one of them to see more.'
      : 'The books begin with the first checkout.'}
  </EmptyState>
)
