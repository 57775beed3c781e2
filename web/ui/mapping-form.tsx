import { type FormEvent, useState } from 'react'
import { safeParse, type ZodMiniType } from 'zod/mini'
import { Button } from './button'
import { Card, CardBody, CardHeading } from './card'
import { FieldError } from './field'
import { Select } from './select'
import { Cell, HeadCell, Table, TableBody, TableHead } from './table'

/** The heads of a file, and its first rows. */
export type FileColumns = { heads: string[]; sample: string[][] }

type MappingFormProps<Column extends string, Mapping> = {
  /** What a column can mean, in words. */
  labels: Record<Column, string>
  /** What makes a choice of columns complete. */
  schema: ZodMiniType<Mapping>
  columns: FileColumns
  hint: string
  busy: boolean
  onSend: (mapping: Mapping) => void
  onCancel: () => void
}

/** Asks once which column of a new layout is which, with the first rows in sight. */
export const MappingForm = <Column extends string, Mapping>({
  labels,
  schema,
  columns,
  hint,
  busy,
  onSend,
  onCancel,
}: MappingFormProps<Column, Mapping>) => {
  const [mapping, setMapping] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string | undefined>()
  const choose = (column: string, head: string) => {
    const { [column]: _, ...others } = mapping
    setMapping(head === '' ? others : { ...others, [column]: head })
    setProblem(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = safeParse(schema, mapping)
    if (read.success) onSend(read.data)
    else setProblem(read.error.issues[0]?.message)
  }
  const heads = columns.heads.map((head) => ({ value: head, label: head }))
  return (
    <Card>
      <CardHeading title="Which column is which?" hint={hint} />
      <CardBody className="flex flex-col gap-4">
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {Object.entries<string>(labels).map(([column, label]) => (
              <Select
                key={column}
                label={label}
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

const Sample = ({ columns: { heads, sample } }: { columns: FileColumns }) => (
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
