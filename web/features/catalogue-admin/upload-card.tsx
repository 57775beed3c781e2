import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { adminToast } from '../../lib/toast'
import { told } from '../../lib/told'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { upload } from './api'
import { CsvPicker } from './csv-picker'
import { downloadTemplate } from './download-template'
import { UploadResult } from './upload-result'

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
    const words = { failed: 'Failed to upload menu items', failedTitle: 'Upload Failed' }
    if (await told(send.mutateAsync(file), words)) setFile(null)
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
