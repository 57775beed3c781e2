import { type FormEvent, useState } from 'react'
import { safeParse } from 'zod/mini'
import {
  type mappingNeeded,
  type StatementColumn,
  statementColumns,
  type StatementMapping,
  statementMapping,
} from '#contracts/statements'
import type * as z from 'zod/mini'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { FieldError } from '../../../ui/field'
import { Select } from '../../../ui/select'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../../ui/table'
import { columnLabels, sourceLabel } from './statement-words'

/** The heads of a file, and its first rows. */
export type Columns = z.infer<typeof mappingNeeded>

type MappingFormProps = {
  columns: Columns
  source: string
  busy: boolean
  onSend: (mapping: StatementMapping) => void
  onCancel: () => void
}

/** Asks once which column of a new layout is which, with the first rows in sight. */
export const MappingForm = ({ columns, source, busy, onSend, onCancel }: MappingFormProps) => {
  const [mapping, setMapping] = useState<Partial<Record<StatementColumn, string>>>({})
  const [problem, setProblem] = useState<string | undefined>()
  const choose = (column: StatementColumn, head: string) => {
    const { [column]: _, ...others } = mapping
    setMapping(head === '' ? others : { ...others, [column]: head })
    setProblem(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = safeParse(statementMapping, mapping)
    if (read.success) onSend(read.data)
    else setProblem(read.error.issues[0]?.message)
  }
  const heads = columns.heads.map((head) => ({ value: head, label: head }))
  return (
    <Card>
      <CardHeading
        title="Which column is which?"
        hint={`This layout of ${sourceLabel(source)} is new here. You are asked once; files with these columns are known from then on.`}
      />
      <CardBody className="flex flex-col gap-4">
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {statementColumns.map((column) => (
              <Select
                key={column}
                label={columnLabels[column]}
                value={mapping[column] ?? ''}
                options={[{ value: '', label: 'Not in this file' }, ...heads]}
                onChange={(event) => choose(column, event.target.value)}
              />
            ))}
          </div>
          <FieldError id="mapping-error" message={problem} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="secondary" disabled={busy} onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" icon="upload" busy={busy} busyLabel="Uploading...">
              Upload
            </Button>
          </div>
        </form>
        <Sample columns={columns} />
      </CardBody>
    </Card>
  )
}

const Sample = ({ columns: { heads, sample } }: { columns: Columns }) => (
  <Table label="The first rows of the file">
    <TableHead>
      <tr>
        {heads.map((head) => (
          <HeadCell key={head}>{head}</HeadCell>
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
