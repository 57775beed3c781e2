import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { adminToast } from '../../lib/toast'
import { told } from '../../lib/told'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Field } from '../../ui/field'
import { upload } from './api'
import { isCsvFile, sizeInKb, templateCsv, templateName } from './csv-file'
import { UploadResult } from './upload-result'

/** Many items at once from a CSV file, with a template that shows how it is written. */
export const UploadCard = () => {
  const send = useMutation(upload)
  const [file, setFile] = useState<File | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const forget = () => {
    setFile(null)
    if (input.current) input.current.value = ''
  }
  const pick = (picked: File | null) => {
    send.reset()
    if (picked === null || isCsvFile(picked)) return setFile(picked)
    adminToast({ title: 'Invalid File Type', text: 'Please select a CSV file', kind: 'error' })
    forget()
  }
  const start = async () => {
    if (!file)
      return adminToast({ title: 'No File Selected', text: 'Please select a CSV file', kind: 'error' })
    const words = { failed: 'Failed to upload menu items', failedTitle: 'Upload Failed' }
    if (await told(send.mutateAsync(file), words)) forget()
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
          <Field label="CSV file" className="min-w-0 flex-1">
            {(control) => (
              <input
                {...control}
                ref={input}
                type="file"
                accept=".csv,text/csv"
                disabled={send.isPending}
                onChange={(event) => pick(event.target.files?.[0] ?? null)}
                className="min-h-11 w-full rounded-md border border-sand-400 bg-surface text-sm text-muted file:mr-3 file:min-h-11 file:bg-sand-100 file:px-3 file:font-semibold file:text-ink"
              />
            )}
          </Field>
          <Button icon="upload" onClick={() => void start()} busy={send.isPending} busyLabel="Uploading...">
            Upload
          </Button>
        </div>
        {file ? (
          <p className="text-sm text-muted">
            {file.name} (<span className="money">{sizeInKb(file.size)}</span>)
          </p>
        ) : null}
        {send.isPending ? <progress aria-label="Uploading menu items" className="h-2 w-full" /> : null}
        <div aria-live="polite">{send.data ? <UploadResult result={send.data} /> : null}</div>
      </CardBody>
    </Card>
  )
}

const downloadTemplate = () => {
  const url = URL.createObjectURL(new Blob([templateCsv()], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = templateName
  link.click()
  URL.revokeObjectURL(url)
  adminToast({ title: 'Template Downloaded' })
}
