import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { settlementMapping, type SettlementColumn, type SettlementMapping } from '#contracts/settlements'
import { columnsAsked } from '../../../lib/columns-asked'
import { notifyFailure } from '../../../lib/notify-outcome'
import { adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { CsvField } from '../../../ui/csv-field'
import { type FileColumns, MappingForm } from '../../../ui/mapping-form'
import { upload } from './api'

const columnLabels: Record<SettlementColumn, string> = {
  token: 'Token of the transaction',
  transRef: "Provider's reference",
  companyRef: 'Our reference',
  type: 'Payment, refund or chargeback',
  at: 'Date of the transaction',
  gross: 'Gross amount',
  fee: 'Fee',
  reserve: 'Reserve',
  net: 'Net amount',
}

/** Takes a settlement as a CSV file, and asks what its columns are where nobody has said so before. */
export const UploadCard = ({ onUploaded }: { onUploaded: (id: number) => void }) => {
  const sending = useMutation(upload)
  const [file, setFile] = useState<File | null>(null)
  const [columns, setColumns] = useState<FileColumns | null>(null)
  const send = async (mapping: SettlementMapping | null) => {
    if (!file)
      return adminToast({ title: 'No File Selected', text: 'Please choose a CSV file', kind: 'error' })
    try {
      const { id } = await sending.mutateAsync({ file, mapping })
      onUploaded(id)
    } catch (error) {
      const asked = columnsAsked(error)
      if (asked) setColumns(asked)
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
        labels={columnLabels}
        schema={settlementMapping}
        columns={columns}
        hint="This layout is new here. You are asked once; files with these columns are known from then on."
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
      <CardBody>
        <form noValidate onSubmit={submit} className="flex flex-col gap-3 md:flex-row md:items-end">
          <CsvField disabled={sending.isPending} onFile={setFile} />
          <Button type="submit" icon="upload" busy={sending.isPending} busyLabel="Uploading...">
            Upload
          </Button>
        </form>
      </CardBody>
    </Card>
  )
}
