import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeftOutRow } from '#contracts/csv'
import { kwacha } from '../../../lib/format'
import { type DataColumn, DataTable } from '../../../ui/data-table'
import { PagedList } from '../../../ui/paged-list'
import { EmptyState } from '../../../ui/query-result'
import { leftOutQuery } from './api'
import { CountIn } from './count-in'

/** Asked for when it is opened. */
export const LeftOutList = ({ id }: { id: number }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">Left out rows</summary>
      {isOpen ? <Pages id={id} /> : null}
    </details>
  )
}

const Pages = ({ id }: { id: number }) => {
  const [page, setPage] = useState(1)
  return (
    <PagedList
      query={useQuery(leftOutQuery(id, page))}
      list={{ page, onPage: setPage }}
      pages={({ metadata }) => metadata}
      failure="Failed to fetch the rows that were left out"
      empty={
        <EmptyState title="No row was left out" icon="table">
          Every row of the file is a payment or an error.
        </EmptyState>
      }
    >
      {({ data }) => (
        <DataTable label="Rows left out" columns={columnsOf(id)} rows={data} keyOf={({ row }) => row} />
      )}
    </PagedList>
  )
}

const columnsOf = (id: number): DataColumn<LeftOutRow>[] => [
  { label: 'Row', named: true, width: 'third', cell: ({ row }) => row },
  { label: 'Why', width: 'full', className: 'wrap-anywhere', cell: ({ reason }) => reason },
  {
    label: 'Amount',
    named: true,
    width: 'third',
    cell: ({ amount }) => (amount === null ? '–' : kwacha(amount)),
  },
  { label: 'Act', hideLabel: true, width: 'most', cell: ({ row }) => <CountIn id={id} row={row} /> },
]
