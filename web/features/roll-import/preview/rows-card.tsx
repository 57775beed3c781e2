import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RollRow, RollRowState } from '#contracts/roll-import'
import { counted, gradeLabel, wholeNumber } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { ListCount, Paged } from '../../../ui/paged-list'
import { QueryResult } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table'
import { rowsQuery } from '../api'
import type { Preview } from '../import-draft'
import { stateWords } from '../list-words'
import { rowChanges } from './row-changes'

/** The rows that can be read, with what each does; those of one state where that is asked for. */
export const RowsCard = ({ preview }: { preview: Preview }) => {
  const [{ state, page }, setAsked] = useState<{ state: RollRowState | null; page: number }>({
    state: null,
    page: 1,
  })
  const rows = useQuery(rowsQuery(preview.id, { page, limit: rowsAtOnce, ...(state && { state }) }))
  return (
    <Card>
      <CardHeading title="The rows of the list" />
      <CardBody className="flex flex-col gap-3">
        <Select
          label="Show"
          className="w-full sm:w-60"
          options={choicesOf(preview)}
          value={state ?? ''}
          onChange={(event) =>
            setAsked({ state: (event.target.value || null) as RollRowState | null, page: 1 })
          }
        />
        <QueryResult
          query={rows}
          failure="Failed to fetch the rows"
          isEmpty={({ metadata }) => metadata.total === 0}
          empty={<EmptyState title="No such rows" icon="list" />}
        >
          {({ data, metadata }) => (
            <>
              <ListCount>{counted(metadata.total, 'row')}</ListCount>
              <Paged
                page={page}
                totalPages={metadata.totalPages}
                busy={rows.isPlaceholderData}
                onPage={(wanted) => setAsked({ state, page: wanted })}
              >
                <StackedTable label="Rows of the list" columns={columns}>
                  {data.map((row) => (
                    <Row key={row.row} row={row} />
                  ))}
                </StackedTable>
              </Paged>
            </>
          )}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

/** Few, for the way to apply the list stands below them. */
const rowsAtOnce = 10

const states: readonly RollRowState[] = ['new', 'changed', 'same', 'matched']

const choicesOf = (preview: Preview) => [
  { value: '', label: 'All rows' },
  ...states.map((value) => ({
    value,
    label: `${stateWords[value].label} (${wholeNumber(preview[value])})`,
  })),
]

const columns = [
  { label: 'Row', className: 'w-px' },
  { label: 'Child' },
  { label: 'Number' },
  { label: 'Family' },
  { label: 'What it does' },
]

const Row = ({ row }: { row: RollRow }) => (
  <StackedRow>
    <StackedCell label="Row" width="full" className="money @max-4xl:flex @max-4xl:gap-1">
      {row.row}
    </StackedCell>
    <StackedCell width="full" className="break-words">
      <span className="font-semibold">{row.student}</span>
      <span className="block text-xs text-muted">
        {[gradeLabel(row.grade), row.class].filter(Boolean).join(', ')}
      </span>
    </StackedCell>
    <StackedCell label="Number" className="break-words">
      {row.admissionNumber ?? <span className="text-muted">None</span>}
    </StackedCell>
    <StackedCell label="Family" width="full" className="break-words @max-4xl:order-last">
      <Family row={row} />
    </StackedCell>
    <StackedCell>
      <Badge tone={stateWords[row.state].tone}>{stateWords[row.state].label}</Badge>
      <ul className="mt-1 text-xs break-words empty:hidden">
        {row.state === 'changed' ? rowChanges(row).map((change) => <li key={change}>{change}</li>) : null}
      </ul>
    </StackedCell>
  </StackedRow>
)

const Family = ({ row: { before, guardian, email, phone } }: { row: RollRow }) => {
  if (before?.parent) return `Account of ${before.parent}`
  const contact = [phone, email].filter(Boolean).join(' · ')
  return (
    <>
      {guardian ?? (contact ? null : <span className="text-muted">None</span>)}
      {contact ? <span className="block text-xs text-muted">{contact}</span> : null}
    </>
  )
}
