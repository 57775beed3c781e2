import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RollRow, RollRowState } from '#contracts/roll-import'
import { counted, gradeLabel, wholeNumber } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { type DataColumn, DataTable } from '../../../ui/data-table'
import { ListCount, Paged } from '../../../ui/paged-list'
import { EmptyState, QueryResult } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import { rowsQuery, type Preview, stateText } from '../import-draft'

/** Optionally of one state. */
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
          empty={<EmptyState title="No rows to show" icon="list" />}
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
                <DataTable label="Rows of the list" columns={columns} rows={data} keyOf={({ row }) => row} />
              </Paged>
            </>
          )}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

/** Few, so that Apply stays in reach. */
const rowsAtOnce = 10

const states: readonly RollRowState[] = ['new', 'changed', 'same', 'matched']

const choicesOf = (preview: Preview) => [
  { value: '', label: 'All rows' },
  ...states.map((value) => ({
    value,
    label: `${stateText[value].label} (${wholeNumber(preview[value])})`,
  })),
]

const columns: readonly DataColumn<RollRow>[] = [
  {
    label: 'Row',
    headClass: 'w-px',
    named: true,
    width: 'full',
    className: 'money @max-4xl:flex @max-4xl:gap-1',
    cell: ({ row }) => row,
  },
  {
    label: 'Child',
    width: 'full',
    className: 'break-words',
    cell: (row) => (
      <>
        <span className="font-semibold">{row.student}</span>
        <span className="block text-xs text-muted">
          {[gradeLabel(row.grade), row.class].filter(Boolean).join(', ')}
        </span>
      </>
    ),
  },
  {
    label: 'Number',
    named: true,
    className: 'break-words',
    cell: ({ admissionNumber }) => admissionNumber ?? <span className="text-muted">None</span>,
  },
  {
    label: 'Family',
    named: true,
    width: 'full',
    className: 'break-words @max-4xl:order-last',
    cell: (row) => <Family row={row} />,
  },
  {
    label: 'What it does',
    cell: (row) => (
      <>
        <Badge tone={stateText[row.state].tone}>{stateText[row.state].label}</Badge>
        <ul className="mt-1 text-xs break-words empty:hidden">
          {row.state === 'changed' ? rowChanges(row).map((change) => <li key={change}>{change}</li>) : null}
        </ul>
      </>
    ),
  },
]

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

/** "Class: 3A → 3B". */
export const rowChanges = (row: RollRow): string[] => {
  const { before } = row
  if (!before) return []
  const values: (readonly [string, string | null, string | null])[] = [
    ['Name', before.name, row.student],
    ['Grade', before.grade, row.grade],
    ['Class', before.class, row.class],
    ['Number', before.admissionNumber, row.admissionNumber],
  ]
  // Children with an account have no guardian on the roll.
  if (before.parent === null)
    values.push(
      ['Guardian', before.guardian, row.guardian],
      ['Email', before.email, row.email],
      ['Phone', before.phone, row.phone],
    )
  const changes = values.filter(([, was, is]) => was !== is)
  return [
    ...changes.map(([label, was, is]) => `${label}: ${was ?? 'none'} → ${is ?? 'none'}`),
    ...(before.onRoll ? [] : ['Comes onto the roll']),
  ]
}
