import { useQuery } from '@tanstack/react-query'
import { type AuditEntry, type EntrySort, entrySorts } from '#contracts/audit'
import { downloadFrom } from '../../lib/download'
import { counted } from '../../lib/format'
import { type Sorting, useListAddress } from '../../lib/list-address'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { bothWays, SortSelect } from '../../ui/list-filters'
import { PagedList, ListCount } from '../../ui/paged-list'
import type { SortProps } from '../../ui/sort-head'
import { type StackedColumn, StackedTable } from '../../ui/stacked-table'
import { entriesQuery, exportAddress } from './api'
import { filtersFromAddress, parametersOf, FilterForm } from './filter-form'
import { type OnHistory, EntryRow } from './entry-row'

const newestFirst: Sorting<EntrySort> = { sort: 'time', direction: 'desc' }

/** Everything that happened to money and orders; filters, order and page are in the address. */
export const Books = ({ onHistory }: { onHistory: OnHistory }) => {
  const list = useListAddress(entrySorts, newestFirst)
  const filters = filtersFromAddress(list.address)
  const entries = useQuery(entriesQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterForm
          key={JSON.stringify(filters)}
          filters={filters}
          onApply={(next) => list.onFilter(parametersOf(next))}
        />
        <PagedList
          query={entries}
          list={list}
          pages={({ pagination: { totalEntries, totalPages } }) => ({ total: totalEntries, totalPages })}
          failure="Failed to fetch history"
          empty={<NoEntries filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => (
            <div className="flex flex-wrap items-center justify-between gap-3">
              <ListCount>{counted(total, 'entry', 'entries')}</ListCount>
              <Button
                variant="secondary"
                icon="download"
                onClick={() => downloadFrom(exportAddress(filters))}
              >
                Export CSV
              </Button>
            </div>
          )}
        >
          {({ data }) => <EntryList entries={data} sorted={list.sorted} onHistory={onHistory} />}
        </PagedList>
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
