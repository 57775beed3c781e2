import { type FormEvent, useEffect, useRef, useState } from 'react'
import { safeParse, type ZodMiniType } from 'zod/mini'
import { mappingNeeded } from '#contracts/csv'
import { CallError, messageOf } from '../lib/call'
import { Button } from './button'
import { Card, CardBody, CardHeading } from './card'
import { FieldError } from './field'
import { Notice } from './notice'
import { Select } from './select'
import { Cell, HeadCell, Table, TableBody, TableHead } from './table'

/** Headings and first rows; `guess` is the known mapping, `why` what is missing. */
type FileColumns = {
  heads: string[]
  sample: string[][]
  guess?: Record<string, string | null> | undefined
  why: string
}

type MappingFormProps<Column extends string, Mapping> = {
  /** Label of each meaning. */
  labels: Record<Column, string>
  /** Columns of which somebody may say that the file has none: null in the mapping, and not asked for again. */
  mayLack?: readonly Column[]
  /** Validates a complete mapping. */
  schema: ZodMiniType<Mapping>
  columns: FileColumns
  hint: string
  /** Names the button, where it does not upload yet. */
  action?: { label: string; busyLabel: string }
  busy: boolean
  onSend: (mapping: Mapping) => void
  onCancel: () => void
}

export const MappingForm = <Column extends string, Mapping>({
  labels,
  mayLack = [],
  schema,
  columns,
  hint,
  action = { label: 'Upload', busyLabel: 'Uploading...' },
  busy,
  onSend,
  onCancel,
}: MappingFormProps<Column, Mapping>) => {
  const [mapping, setMapping] = useState<Record<string, string | null>>(columns.guess ?? {})
  const [problem, setProblem] = useState<string | undefined>()
  const form = useRef<HTMLFormElement>(null)
  // Replaces the pressed element.
  useEffect(() => form.current?.querySelector('select')?.focus(), [])
  const choose = (column: string, head: string) => {
    const { [column]: _, ...others } = mapping
    const isNone = mayLack.some((one) => one === column)
    if (head !== '') setMapping({ ...others, [column]: head })
    else setMapping(isNone ? { ...others, [column]: null } : others)
    setProblem(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = safeParse(schema, mapping)
    if (read.success) onSend(read.data)
    else setProblem(read.error.issues[0]?.message)
  }
  const asked = Object.entries<string>(labels)
  const heads = columns.heads.map((head) => ({ value: head, label: head }))
  const meaningOf = (head: string) =>
    asked.flatMap(([column, label]) => (mapping[column] === head ? [label] : []))
  // With a complete guess, what is to be looked at comes first and the rest is folded.
  const isWhole = columns.guess !== undefined && safeParse(schema, columns.guess).success
  const isNear = (column: string) => !isWhole || columns.guess?.[column] !== undefined
  const select = ([column, label]: [string, string]) => (
    <Select
      key={column}
      label={label}
      value={mapping[column] ?? ''}
      options={[{ value: '', label: 'Not in this file' }, ...heads]}
      onChange={(event) => choose(column, event.target.value)}
    />
  )
  return (
    <Card>
      <CardHeading title="Which column is which?" hint={hint} />
      <CardBody className="flex flex-col gap-4">
        {columns.guess ? <Notice tone="warning">{columns.why}</Notice> : null}
        <Sample columns={columns} meaningOf={meaningOf} />
        <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
          <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {asked.filter(([column]) => isNear(column)).map(select)}
          </div>
          {isWhole ? (
            <details>
              <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">Other columns</summary>
              <div className="grid gap-3 pt-2 sm:grid-cols-2 xl:grid-cols-3">
                {asked.filter(([column]) => !isNear(column)).map(select)}
              </div>
            </details>
          ) : null}
          <FieldError id="mapping-error" message={problem} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="secondary" disabled={busy} onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" icon="upload" busy={busy} busyLabel={action.busyLabel}>
              {action.label}
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

type SampleProps = { columns: FileColumns; meaningOf: (head: string) => readonly string[] }

const Sample = ({ columns: { heads, sample }, meaningOf }: SampleProps) => (
  <Table label="The first rows of the file">
    <TableHead>
      <tr>
        {heads.map((head) => (
          <HeadCell key={head}>
            {head}
            <span className="block font-semibold whitespace-nowrap text-brand-700">
              {meaningOf(head).join(', ') || <span className="font-normal text-muted">not used</span>}
            </span>
          </HeadCell>
        ))}
      </tr>
    </TableHead>
    <TableBody>
      {sample.map((cells, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- a file's rows, which never change
        <tr key={row}>
          {heads.map((head, at) => (
            <Cell key={head} className="whitespace-nowrap">
              {cells[at]}
            </Cell>
          ))}
        </tr>
      ))}
    </TableBody>
  </Table>
)

/** Headings, rows, known mapping and reason. */
export type ColumnsAsked = {
  heads: string[]
  sample: string[][]
  guess?: Record<string, string | null> | undefined
  why: string
}

/** Null for other errors. */
export const mappingFromError = (error: unknown): ColumnsAsked | null => {
  if (!(error instanceof CallError) || error.code !== 'mapping_needed') return null
  const { data } = safeParse(mappingNeeded, error.reply)
  return data ? { ...data, why: messageOf(error, 'Match the columns of this file') } : null
}
