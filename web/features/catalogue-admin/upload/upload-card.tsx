import { useMutation } from '@tanstack/react-query'
import { useState, type ChangeEvent, useEffect, useRef } from 'react'
import type { bulkUpload } from '#contracts/catalogue'
import type { ReplyOf } from '#contracts/endpoint'
import { adminToast } from '../../../lib/toast'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { upload } from '../api'
import { wholeNumber } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { downloadTemplate, isCsvFile, sizeInKb } from './csv-file'
import { Field } from '../../../ui/field'

/** Many items at once from a CSV file, with a template that shows how it is written. */
export const UploadCard = () => {
  const send = useMutation(upload)
  const [file, setFile] = useState<File | null>(null)
  const pick = (picked: File | null) => {
    send.reset()
    setFile(picked)
  }
  const start = async () => {
    if (!file)
      return adminToast({ title: 'No File Selected', text: 'Please select a CSV file', kind: 'error' })
    const form = new FormData()
    form.set('file', file)
    const words = { failed: 'Failed to upload menu items', failedTitle: 'Upload Failed' }
    if (await notifyOutcome(send.mutateAsync({ form }), words)) setFile(null)
  }
  return (
    <Card>
      <CardHeading
        title="Bulk Upload"
        hint="Add many menu items from one CSV file."
        actions={
          <Button variant="ghost" size="sm" icon="download" onClick={downloadTemplate}>
            Download Template
          </Button>
        }
      />
      <CardBody className="flex flex-col gap-4">
        <div className="flex flex-col gap-3 sm:flex-row sm:items-end">
          <CsvPicker file={file} onPick={pick} disabled={send.isPending} />
          <Button icon="upload" onClick={() => void start()} busy={send.isPending} busyLabel="Uploading...">
            Upload
          </Button>
        </div>
        {send.isPending ? <progress aria-label="Uploading menu items" className="progress" /> : null}
        <div aria-live="polite">{send.data ? <UploadResult result={send.data} /> : null}</div>
      </CardBody>
    </Card>
  )
}

/** How an upload ended: how many rows were saved, those of items that were there already too, how many were not, and why. */
const UploadResult = ({ result }: { result: ReplyOf<typeof bulkUpload> }) => (
  <div className="rounded-md border border-line bg-sand-50 p-4">
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="mr-2 font-semibold">Upload result</h3>
      <Badge tone="brand" icon="check">
        {`${wholeNumber(result.successCount)} saved`}
      </Badge>
      <Badge
        tone={result.errorCount > 0 ? 'danger' : 'neutral'}
        icon={result.errorCount > 0 ? 'alert' : undefined}
      >
        {`${wholeNumber(result.errorCount)} with errors`}
      </Badge>
    </div>
    {result.errors.length > 0 ? (
      <ul className="mt-3 max-h-60 list-disc overflow-y-auto pl-5 text-sm text-danger-700">
        {result.errors.map((error, line) => (
          // oxlint-disable-next-line react/no-array-index-key -- a finished list; two rows may have the same error
          <li key={line}>{error}</li>
        ))}
      </ul>
    ) : null}
  </div>
)

type CsvPickerProps = { file: File | null; onPick: (file: File | null) => void; disabled: boolean }

/** Takes one CSV file and shows its size; anything else is turned away. */
const CsvPicker = ({ file, onPick, disabled }: CsvPickerProps) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!file && input.current) input.current.value = ''
  }, [file])
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    const picked = event.target.files?.[0] ?? null
    if (picked === null || isCsvFile(picked)) return onPick(picked)
    event.target.value = ''
    adminToast({ title: 'Invalid File Type', text: 'Please select a CSV file', kind: 'error' })
    onPick(null)
  }
  return (
    <Field
      label="CSV file"
      hint={file ? `${file.name} (${sizeInKb(file.size)})` : undefined}
      className="min-w-0 flex-1"
    >
      {(control) => (
        <input
          {...control}
          ref={input}
          type="file"
          accept=".csv,text/csv"
          disabled={disabled}
          onChange={pick}
          className="min-h-11 w-full rounded-md border border-sand-400 bg-surface text-sm text-muted file:mr-3 file:min-h-11 file:bg-sand-100 file:px-3 file:font-semibold file:text-ink"
        />
      )}
    </Field>
  )
}
