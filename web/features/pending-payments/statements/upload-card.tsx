import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { statementMapping, type StatementMapping } from '#contracts/statements'
import { columnsAsked } from '../../../lib/columns-asked'
import { notifyFailure } from '../../../lib/notify-outcome'
import { adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { CsvField } from '../../../ui/csv-field'
import { type FileColumns, MappingForm } from '../../../ui/mapping-form'
import { Select } from '../../../ui/select'
import { TextField } from '../../../ui/text-field'
import { type Uploaded, upload } from './api'
import { columnLabels, sourceLabel, usualSources } from './statement-words'

type UploadCardProps = {
  /** Where the earlier statements came from, the latest first. */
  sources: readonly string[]
  onUploaded: (result: Uploaded) => void
}

const another = ' another'

/** Takes a statement as a CSV file, and asks what its columns are where the layout is not known yet. */
export const UploadCard = ({ sources, onUploaded }: UploadCardProps) => {
  const sending = useMutation(upload)
  const [file, setFile] = useState<File | null>(null)
  const [picked, setPicked] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [columns, setColumns] = useState<FileColumns | null>(null)
  const chosen = picked ?? sources[0] ?? usualSources[0]
  const source = chosen === another ? name.trim() : chosen
  const send = async (mapping: StatementMapping | null) => {
    if (!file)
      return adminToast({ title: 'No File Selected', text: 'Please choose a CSV file', kind: 'error' })
    if (source === '')
      return adminToast({ title: 'No Name', text: 'Say where the statement is from', kind: 'error' })
    try {
      onUploaded(await sending.mutateAsync({ file, source, mapping }))
    } catch (error) {
      const asked = columnsAsked(error)
      if (asked) setColumns(asked)
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
        labels={columnLabels}
        schema={statementMapping}
        columns={columns}
        hint={`This layout of ${sourceLabel(source)} is new here. You are asked once; files with these columns are known from then on.`}
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
      <CardBody>
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
      </CardBody>
    </Card>
  )
}
