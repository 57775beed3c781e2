import { useQuery, useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type Statement, statementMapping, type StatementMapping } from '#contracts/transfers'
import { counted } from '../../../lib/format'
import { addressWith, addressWithPage, pageFromAddress } from '../../../lib/list-address'
import { dateAndTime } from '../../../lib/school-moment'
import { notifyFailure, adminToast } from '../../../lib/toast'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { type DataColumn, DataTable } from '../../../ui/data-table'
import { CsvField, TextField } from '../../../ui/field'
import { LongWork, useStillHere } from '../../../ui/long-work'
import { mappingFromError, type ColumnsAsked, MappingForm } from '../../../ui/mapping-form'
import { PagedList } from '../../../ui/paged-list'
import { EmptyState } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import {
  type Uploaded,
  statementsQuery,
  sourceLabel,
  upload,
  columnLabels,
  columnsOrNone,
  usualSources,
} from './api'
import { StatementScreen } from './statement-screen'
import { titleOf, UploadOutcome } from './upload-outcome'

export const Statements = () => {
  const [address, setAddress] = useSearchParams()
  const [uploaded, setUploaded] = useState<Uploaded | null>(null)
  const id = Number(address.get('statement'))
  const open = (statement: number | null) =>
    setAddress(addressWith(address, { statement: statement === null ? null : String(statement), show: null }))
  if (!Number.isInteger(id) || id < 1)
    return (
      <StatementList
        onOpen={open}
        onUploaded={(result) => {
          setUploaded(result)
          open(result.id)
        }}
      />
    )
  return (
    <StatementScreen key={id} id={id} onBack={() => open(null)}>
      {uploaded?.id === id ? <UploadOutcome result={uploaded} /> : null}
    </StatementScreen>
  )
}

type StatementListProps = { onOpen: (id: number) => void; onUploaded: (result: Uploaded) => void }

/** Newest first, with upload. */
export const StatementList = ({ onOpen, onUploaded }: StatementListProps) => {
  const [address, setAddress] = useSearchParams()
  const page = pageFromAddress(address)
  const statements = useQuery(statementsQuery(page))
  const sources = statements.data?.data.map(({ source }) => source) ?? []
  return (
    <div className="flex flex-col gap-4">
      <UploadCard sources={[...new Set(sources)]} onUploaded={onUploaded} />
      <Card>
        <CardHeading title="Statements" />
        <CardBody className="flex flex-col gap-3">
          <PagedList
            query={statements}
            list={{ page, onPage: (wanted) => setAddress(addressWithPage(address, wanted)) }}
            pages={({ metadata }) => metadata}
            failure="Failed to fetch statements"
            empty={
              <EmptyState title="No statements yet" icon="table">
                Upload one. Payments are matched automatically and you confirm them.
              </EmptyState>
            }
          >
            {({ data }) => (
              <DataTable label="Statements" columns={columnsOf(onOpen)} rows={data} keyOf={({ id }) => id} />
            )}
          </PagedList>
        </CardBody>
      </Card>
    </div>
  )
}

const columnsOf = (onOpen: (id: number) => void): DataColumn<Statement>[] => [
  { label: 'From', width: 'most', className: 'font-semibold', cell: ({ source }) => sourceLabel(source) },
  {
    label: 'File',
    width: 'full',
    className: 'break-all @max-4xl:order-2',
    cell: ({ fileName }) => fileName,
  },
  {
    label: 'Uploaded',
    width: 'full',
    className: 'text-muted @max-4xl:order-3',
    cell: ({ uploadedAt, uploadedBy }) => `${dateAndTime(uploadedAt)} by ${uploadedBy}`,
  },
  {
    label: 'To do',
    width: 'full',
    className: '@max-4xl:order-4',
    cell: ({ counts }) => <ToDo counts={counts} />,
  },
  {
    label: 'Open',
    hideLabel: true,
    width: 'third',
    className: 'text-right @max-4xl:order-1',
    cell: ({ id, fileName, uploadedAt }) => (
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Open ${fileName}, ${dateAndTime(uploadedAt)}`}
        onClick={() => onOpen(id)}
      >
        Open
      </Button>
    ),
  },
]

const ToDo = ({ counts: { exact, likely, open, confirmed, ignored } }: Pick<Statement, 'counts'>) => {
  if (exact + likely + open + confirmed + ignored === 0)
    return <span className="text-muted">Nothing new</span>
  const left = [
    exact > 0 ? `${exact} exact` : '',
    likely > 0 ? `${likely} likely` : '',
    open > 0 ? `${open} open` : '',
  ].filter((words) => words !== '')
  return (
    <span className="flex flex-wrap items-center gap-2">
      {left.length > 0 ? (
        <span className="font-semibold">{left.join(', ')}</span>
      ) : (
        <Badge tone="brand" icon="check">
          Done
        </Badge>
      )}
      {confirmed > 0 ? <span className="text-muted">{`${counted(confirmed, 'row')} confirmed`}</span> : null}
    </span>
  )
}

type UploadCardProps = {
  sources: readonly string[]
  onUploaded: (result: Uploaded) => void
}

const another = ' another'

/** Asks for the columns of an unknown layout. */
export const UploadCard = ({ sources, onUploaded }: UploadCardProps) => {
  const sending = useMutation(upload)
  const isHere = useStillHere()
  const [file, setFile] = useState<File | null>(null)
  const [picked, setPicked] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [columns, setColumns] = useState<ColumnsAsked | null>(null)
  const chosen = picked ?? sources[0] ?? usualSources[0]
  const source = chosen === another ? name.trim() : chosen
  const send = async (mapping: StatementMapping | null) => {
    if (!file)
      return adminToast({ title: 'No File Selected', text: 'Please choose a CSV file', kind: 'error' })
    if (source === '')
      return adminToast({ title: 'No Name', text: 'Choose where the statement is from', kind: 'error' })
    try {
      const result = await sending.mutateAsync({ file, source, mapping })
      if (isHere()) onUploaded(result)
      else adminToast({ title: `${file.name} is read`, text: titleOf(result) })
    } catch (error) {
      const asked = mappingFromError(error)
      if (asked && isHere()) setColumns(asked)
      else notifyFailure(error, 'Failed to upload the statement', 'Upload Failed')
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send(null)
  }
  if (columns)
    return (
      <MappingForm
        key={columns.why}
        labels={columnLabels}
        mayLack={columnsOrNone}
        schema={statementMapping}
        columns={columns}
        hint={`This layout of ${sourceLabel(source)} has not been seen before. Tell us once; files like it are then recognised.`}
        busy={sending.isPending}
        onSend={(mapping) => void send(mapping)}
        onCancel={() => setColumns(null)}
      />
    )
  return (
    <Card>
      <CardHeading
        title="Upload a statement"
        hint="The CSV file that Airtel, MTN or the bank gives you. What was uploaded before is not counted twice."
      />
      <CardBody className="flex flex-col gap-3">
        <form noValidate onSubmit={submit} className="flex flex-col gap-3 md:flex-row md:items-end">
          <Select
            label="From"
            className="md:w-48"
            value={chosen}
            onChange={(event) => setPicked(event.target.value)}
            options={[
              ...[...new Set([...usualSources, ...sources])].map((value) => ({
                value,
                label: sourceLabel(value),
              })),
              { value: another, label: 'Another…' },
            ]}
          />
          {chosen === another ? (
            <TextField
              label="Its name"
              maxLength={60}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          ) : null}
          <CsvField disabled={sending.isPending} onFile={setFile} />
          <Button type="submit" icon="upload" busy={sending.isPending} busyLabel="Uploading...">
            Upload
          </Button>
        </form>
        {sending.isPending ? (
          <LongWork label="The file is read">
            Reading the file. You can leave; the statement then appears in this list.
          </LongWork>
        ) : null}
      </CardBody>
    </Card>
  )
}
