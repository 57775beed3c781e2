import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { safeParse } from 'zod/mini'
import { mappingNeeded, type StatementMapping } from '#contracts/statements'
import { CallError } from '../../../lib/call'
import { notifyFailure } from '../../../lib/notify-outcome'
import { adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { Field } from '../../../ui/field'
import { Select } from '../../../ui/select'
import { TextField } from '../../../ui/text-field'
import { type Uploaded, upload } from './api'
import { type Columns, MappingForm } from './mapping-form'
import { sourceLabel, usualSources } from './statement-words'

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
  const [columns, setColumns] = useState<Columns | null>(null)
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
        columns={columns}
        source={source}
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
          <Field label="CSV file" className="min-w-0 flex-1">
            {(control) => (
              <input
                {...control}
                type="file"
                accept=".csv,.txt,text/csv"
                disabled={sending.isPending}
                onChange={(event) => setFile(event.target.files?.[0] ?? null)}
                className="min-h-11 w-full rounded-md border border-sand-400 bg-surface text-sm text-muted file:mr-3 file:min-h-11 file:bg-sand-100 file:px-3 file:font-semibold file:text-ink"
              />
            )}
          </Field>
          <Button type="submit" icon="upload" busy={sending.isPending} busyLabel="Uploading...">
            Upload
          </Button>
        </form>
      </CardBody>
    </Card>
  )
}

/** The heads and first rows of a file whose layout is not known; null where something else went wrong. */
const columnsAsked = (error: unknown): Columns | null =>
  error instanceof CallError && error.code === 'mapping_needed'
    ? (safeParse(mappingNeeded, error.reply).data ?? null)
    : null
