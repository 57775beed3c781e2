import { useQuery, useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  type SettlementHead,
  settlementMapping,
  type SettlementColumn,
  type SettlementMapping,
} from '#contracts/settlements'
import { wholeNumber } from '../../../lib/format'
import { addressWith } from '../../../lib/list-address'
import { dateAndTime } from '../../../lib/school-moment'
import { notifyFailure, adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { type DataColumn, DataTable } from '../../../ui/data-table'
import { CsvField } from '../../../ui/field'
import { LongWork, useStillHere } from '../../../ui/long-work'
import { mappingFromError, type ColumnsAsked, MappingForm } from '../../../ui/mapping-form'
import { EmptyState, QueryResult } from '../../../ui/query-result'
import { settlementsQuery, upload } from './api'
import { SettlementScreen } from './settlement-screen'

/** The open settlement is in the address. */
export const Settlements = () => {
  const [address, setAddress] = useSearchParams()
  const open = (id: number | null) =>
    setAddress(addressWith(address, { settlement: id === null ? null : String(id), show: null }))
  const id = Number(address.get('settlement'))
  return Number.isInteger(id) && id > 0 ? (
    <SettlementScreen id={id} onBack={() => open(null)} />
  ) : (
    <SettlementList onOpen={open} />
  )
}

const columnsOf = (onOpen: (id: number) => void): DataColumn<SettlementHead>[] => [
  { label: 'File', width: 'full', className: 'font-semibold break-all', cell: ({ fileName }) => fileName },
  {
    label: 'Compared',
    width: 'full',
    className: 'text-muted',
    cell: ({ uploadedAt, uploadedBy }) => `${dateAndTime(uploadedAt)} by ${uploadedBy}`,
  },
  { label: 'Outcome', width: 'most', cell: outcome },
  {
    label: 'Open',
    hideLabel: true,
    width: 'third',
    className: 'text-right',
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

export const SettlementList = ({ onOpen }: { onOpen: (id: number) => void }) => (
  <div className="flex flex-col gap-4">
    <UploadCard onUploaded={onOpen} />
    <Card>
      <CardHeading title="Settlements" />
      <CardBody>
        <QueryResult
          query={useQuery(settlementsQuery)}
          failure="Failed to fetch settlements"
          isEmpty={({ data }) => data.length === 0}
          empty={
            <EmptyState title="No settlements yet" icon="table">
              Upload one to see what only the provider or only our books have.
            </EmptyState>
          }
        >
          {({ data }) => (
            <DataTable label="Settlements" columns={columnsOf(onOpen)} rows={data} keyOf={({ id }) => id} />
          )}
        </QueryResult>
      </CardBody>
    </Card>
  </div>
)

const outcome = ({ counts }: SettlementHead): string => {
  const open = counts.amount_differs + counts.missing_here + counts.missing_there
  return open === 0
    ? 'All matched'
    : `${wholeNumber(open)} to look at, ${wholeNumber(counts.matched)} matched`
}

const columnLabels: Record<SettlementColumn, string> = {
  token: 'Token of the transaction',
  transRef: "Provider's reference",
  companyRef: 'Our reference',
  type: 'Payment, refund or chargeback',
  status: 'Status (settled or not)',
  direction: 'In or out (CR or DR)',
  at: 'Date of the transaction',
  gross: 'Gross amount',
  fee: 'Fee',
  reserve: 'Reserve',
  net: 'Net amount',
}

/** Asks for the columns of an unknown layout. */
export const UploadCard = ({ onUploaded }: { onUploaded: (id: number) => void }) => {
  const sending = useMutation(upload)
  const isHere = useStillHere()
  const [file, setFile] = useState<File | null>(null)
  const [columns, setColumns] = useState<ColumnsAsked | null>(null)
  const send = async (mapping: SettlementMapping | null) => {
    if (!file)
      return adminToast({ title: 'No File Selected', text: 'Please choose a CSV file', kind: 'error' })
    try {
      const { id } = await sending.mutateAsync({ file, mapping })
      if (isHere()) onUploaded(id)
      else adminToast({ title: `${file.name} is read`, text: 'See it under Settlements' })
    } catch (error) {
      const asked = mappingFromError(error)
      if (asked && isHere()) setColumns(asked)
      else notifyFailure(error, 'Failed to upload the settlement', 'Upload Failed')
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
        mayLack={['type', 'status', 'direction']}
        schema={settlementMapping}
        columns={columns}
        hint="We have not seen this layout before. Tell us once; files like it are then recognised."
        busy={sending.isPending}
        onSend={(mapping) => void send(mapping)}
        onCancel={() => setColumns(null)}
      />
    )
  return (
    <Card>
      <CardHeading
        title="Upload a settlement"
        hint="The card provider's CSV file of what it has settled. It is compared with the books and changes nothing in them."
      />
      <CardBody className="flex flex-col gap-3">
        <form noValidate onSubmit={submit} className="flex flex-col gap-3 md:flex-row md:items-end">
          <CsvField disabled={sending.isPending} onFile={setFile} />
          <Button type="submit" icon="upload" busy={sending.isPending} busyLabel="Uploading...">
            Upload
          </Button>
        </form>
        {sending.isPending ? (
          <LongWork label="The file is read">
            Reading the file. You can leave; the settlement then appears in this list.
          </LongWork>
        ) : null}
      </CardBody>
    </Card>
  )
}
