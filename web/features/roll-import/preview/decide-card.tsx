import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RollAccount, RollRow } from '#contracts/roll-import'
import { counted, gradeLabel, wholeNumber } from '../../../lib/format'
import { notifyFailure } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { type DataColumn, DataTable } from '../../../ui/data-table'
import { Paged } from '../../../ui/paged-list'
import { QueryResult } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import { allMatched, rowsQuery, type Decisions, type Preview } from '../import-draft'

type DecideCardProps = {
  preview: Preview
  /** Chosen beforehand. */
  clear: Decisions
  decisions: Decisions
  onDecide: (decisions: Decisions) => void
}

/** Possible duplicates with the office's decisions. */
export const DecideCard = ({ preview, clear, decisions, onDecide }: DecideCardProps) => {
  const [page, setPage] = useState(1)
  const rows = useQuery(rowsQuery(preview.id, { page, limit: rowsAtOnce, state: 'matched' }))
  const decided = Object.keys(decisions).length
  return (
    <Card>
      <CardHeading
        title={`${counted(preview.matched, 'row')} to decide`}
        hint="Each may be a child who is here already: by name and grade, or by the number under another name. Clear matches are chosen for you. Say of the others which child it is, or that it is new; undecided rows are skipped."
      />
      <CardBody className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {Object.keys(clear).every((row) => row in decisions) ? null : (
            <TakeOnly preview={preview} decisions={decisions} onDecide={onDecide} />
          )}
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
                <DataTable
                  label="Rows to decide"
                  columns={columnsOf(decisions, onDecide)}
                  rows={data}
                  keyOf={({ row }) => row}
                  rowClass="[&>td]:align-middle"
                />
              )}
            </Paged>
          )}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const rowsAtOnce = 20

const columnsOf = (decisions: Decisions, onDecide: (decisions: Decisions) => void): DataColumn<RollRow>[] => [
  {
    label: 'Row',
    headClass: 'w-px',
    named: true,
    width: 'full',
    className: 'money @max-4xl:flex @max-4xl:gap-1',
    cell: ({ row }) => row,
  },
  {
    label: 'In the list',
    width: 'full',
    className: 'break-words',
    cell: (row) => (
      <>
        <span className="font-semibold">{row.student}</span>
        <span className="block text-xs text-muted">
          {[gradeLabel(row.grade), row.class, row.admissionNumber, row.guardian].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  {
    label: 'Which child is it?',
    width: 'full',
    cell: (row) => <ChildChoice row={row} decisions={decisions} onDecide={onDecide} />,
  },
]

/** On all pages. */
const TakeOnly = ({ preview, decisions, onDecide }: Omit<DecideCardProps, 'clear'>) => {
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
      Accept All Clear Matches
    </Button>
  )
}

type ChildChoiceProps = Pick<DecideCardProps, 'decisions' | 'onDecide'> & { row: RollRow }

const ChildChoice = ({ row, decisions, onDecide }: ChildChoiceProps) => {
  const key = String(row.row)
  const { [key]: chosen, ...others } = decisions
  const decide = (value: string) => {
    if (value === '') onDecide(others)
    else onDecide({ ...others, [key]: value === 'new' ? 'new' : Number(value) })
  }
  return (
    <Select
      label={`Which child is row ${row.row}, ${row.student}?`}
      hideLabel
      value={chosen === undefined ? '' : String(chosen)}
      options={choicesOf(row, rowsOfChosen(others))}
      onChange={(event) => decide(event.target.value)}
    />
  )
}

const choicesOf = ({ candidates }: RollRow, taken: ReadonlyMap<number, number>) => [
  { value: '', label: 'Not decided: skipped' },
  ...candidates.map((child) => {
    const row = taken.get(child.id)
    const label = candidateText(child)
    return row === undefined
      ? { value: String(child.id), label }
      : { value: String(child.id), label: `${label} (is row ${row})`, disabled: true }
  }),
  { value: 'new', label: 'A new child' },
]

/** Distinguishes candidates of one name and grade. */
const candidateText = ({
  name,
  class: of,
  admissionNumber,
  account,
  guardian,
  phone,
}: RollRow['candidates'][number]) =>
  [
    name,
    of,
    admissionNumber && `No. ${admissionNumber}`,
    account ? accountText(account) : (guardian ?? phone ?? 'no account'),
  ]
    .filter(Boolean)
    .join(', ')

/** Email and whether it is verified: names are self-chosen. */
const accountText = ({ username, email, emailVerified }: RollAccount) => {
  if (email === null) return `account ${username} without an address`
  return `account ${username}, ${email} ${emailVerified ? '(verified)' : '(not verified)'}`
}

/** Row by chosen child: a child belongs to one row. */
export const rowsOfChosen = (decisions: Decisions): Map<number, number> =>
  new Map(
    Object.entries(decisions).flatMap(([row, chosen]) => (chosen === 'new' ? [] : [[chosen, Number(row)]])),
  )

/** Decides clear rows, unless another row may be the same child. */
export const withOnlyMatches = (rows: readonly RollRow[], decisions: Decisions): Decisions => {
  const wanted = new Map<number, number>()
  for (const { candidates } of rows)
    for (const { id } of candidates) wanted.set(id, (wanted.get(id) ?? 0) + 1)
  const taken = rowsOfChosen(decisions)
  const clear = rows.flatMap(({ row, candidates, isClear }) => {
    const [only] = candidates
    const isIts = only && isClear && wanted.get(only.id) === 1 && !taken.has(only.id)
    return isIts ? [[String(row), only.id] as const] : []
  })
  return { ...Object.fromEntries(clear), ...decisions }
}

/** Decisions that a newer preview still asks for. */
export const validDecisions = (rows: readonly RollRow[], decisions: Decisions): Decisions => {
  const kept = rows.flatMap(({ row, candidates }) => {
    const chosen = decisions[String(row)]
    const isGood = chosen === 'new' || candidates.some((candidate) => candidate.id === chosen)
    return chosen !== undefined && isGood ? [[String(row), chosen] as const] : []
  })
  return Object.fromEntries(kept)
}
