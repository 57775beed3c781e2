import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RollRow } from '#contracts/roll-import'
import { counted, gradeLabel, wholeNumber } from '../../../lib/format'
import { notifyFailure } from '../../../lib/notify-outcome'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { Paged } from '../../../ui/paged-list'
import { QueryResult } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table'
import { allMatched, rowsQuery } from '../api'
import type { Decisions, Preview } from '../import-draft'
import { rowsOfChosen, withOnlyMatches } from './decisions'

type DecideCardProps = { preview: Preview; decisions: Decisions; onDecide: (decisions: Decisions) => void }

/** The rows that may be children who are here already, each with what the office says of it. */
export const DecideCard = ({ preview, decisions, onDecide }: DecideCardProps) => {
  const [page, setPage] = useState(1)
  const rows = useQuery(rowsQuery(preview.id, { page, limit: rowsAtOnce, state: 'matched' }))
  const decided = Object.keys(decisions).length
  return (
    <Card>
      <CardHeading
        title={`${counted(preview.matched, 'row')} to decide`}
        hint="Name and grade are those of a child without this number. Say which child it is, or that it is new; what you do not decide is left out."
      />
      <CardBody className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <TakeOnly preview={preview} decisions={decisions} onDecide={onDecide} />
          {decided > 0 ? (
            <Button variant="ghost" size="sm" icon="undo" onClick={() => onDecide({})}>
              Clear Decisions
            </Button>
          ) : null}
          <p aria-live="polite" className="money text-sm text-muted">
            {`${wholeNumber(decided)} of ${wholeNumber(preview.matched)} decided`}
          </p>
        </div>
        <QueryResult query={rows} failure="Failed to fetch the rows to decide">
          {({ data, metadata }) => (
            <Paged
              page={page}
              totalPages={Math.max(1, metadata.totalPages)}
              busy={rows.isPlaceholderData}
              onPage={setPage}
            >
              {data.length === 0 ? null : (
                <StackedTable label="Rows to decide" columns={columns}>
                  {data.map((row) => (
                    <DecideRow key={row.row} row={row} decisions={decisions} onDecide={onDecide} />
                  ))}
                </StackedTable>
              )}
            </Paged>
          )}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const rowsAtOnce = 20

const columns = [
  { label: 'Row', className: 'w-px' },
  { label: 'In the list' },
  { label: 'Which child is it?' },
]

/** Decides at once on what is clear, on all pages. */
const TakeOnly = ({ preview, decisions, onDecide }: DecideCardProps) => {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      onDecide(withOnlyMatches(await allMatched(client, preview.id), decisions))
    } catch (error) {
      notifyFailure(error, 'Failed to fetch the rows to decide')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="secondary"
      size="sm"
      icon="check"
      busy={busy}
      busyLabel="Deciding..."
      onClick={() => void take()}
    >
      Take the Child Where It Can Be Only One
    </Button>
  )
}

type DecideRowProps = Pick<DecideCardProps, 'decisions' | 'onDecide'> & { row: RollRow }

const DecideRow = ({ row, decisions, onDecide }: DecideRowProps) => {
  const key = String(row.row)
  const { [key]: chosen, ...others } = decisions
  const decide = (value: string) => {
    if (value === '') onDecide(others)
    else onDecide({ ...others, [key]: value === 'new' ? 'new' : Number(value) })
  }
  return (
    <StackedRow className="[&>td]:align-middle">
      <StackedCell label="Row" width="full" className="money @max-4xl:flex @max-4xl:gap-1">
        {row.row}
      </StackedCell>
      <StackedCell width="full" className="break-words">
        <span className="font-semibold">{row.student}</span>
        <span className="block text-xs text-muted">
          {[gradeLabel(row.grade), row.class, row.admissionNumber, row.guardian].filter(Boolean).join(' · ')}
        </span>
      </StackedCell>
      <StackedCell width="full">
        <Select
          label={`Which child is row ${row.row}, ${row.student}?`}
          hideLabel
          value={chosen === undefined ? '' : String(chosen)}
          options={choicesOf(row, rowsOfChosen(others))}
          onChange={(event) => decide(event.target.value)}
        />
      </StackedCell>
    </StackedRow>
  )
}

const choicesOf = ({ candidates }: RollRow, taken: ReadonlyMap<number, number>) => [
  { value: '', label: 'Not decided: left out' },
  ...candidates.map((child) => {
    const row = taken.get(child.id)
    const label = candidateWords(child)
    return row === undefined
      ? { value: String(child.id), label }
      : { value: String(child.id), label: `${label} (is row ${row})`, disabled: true }
  }),
  { value: 'new', label: 'A new child' },
]

/** What tells a candidate from another of the same name and grade. */
const candidateWords = ({ name, class: of, parent, guardian, phone }: RollRow['candidates'][number]) =>
  [name, of, parent ? `account of ${parent}` : (guardian ?? phone ?? 'no account')].filter(Boolean).join(', ')
