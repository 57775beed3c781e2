import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { CsvField } from '../../ui/csv-field'
import { Notice } from '../../ui/notice'
import type { Preview } from './import-draft'
import { downloadTemplate } from './list-template'
import { ListHelp } from './list-help'
import { LookingBar } from './looking-bar'
import { useLooking } from './use-looking'

/** Takes the school's list and has it looked through; nothing changes by that. */
export const UploadCard = ({ onLooked }: { onLooked: (file: File, preview: Preview) => void }) => {
  const [file, setFile] = useState<File | null>(null)
  const [noFile, setNoFile] = useState(false)
  const { start, sent, problem } = useLooking()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setNoFile(file === null)
    if (!file) return
    const preview = await start(file)
    if (preview) onLooked(file, preview)
  }
  return (
    <Card>
      <CardHeading
        title="Import a list"
        hint="The list of all children that the school has. First you see what it would change."
        actions={
          <Button variant="ghost" size="sm" icon="download" onClick={() => void downloadTemplate()}>
            Download Template
          </Button>
        }
      />
      <CardBody className="flex flex-col gap-4">
        <form
          noValidate
          onSubmit={(event) => void submit(event)}
          className="flex flex-col gap-3 md:flex-row md:items-end"
        >
          <CsvField disabled={sent !== null} onFile={setFile} />
          <Button type="submit" icon="upload" busy={sent !== null} busyLabel="Working...">
            Look Through
          </Button>
        </form>
        {sent === null ? null : <LookingBar sent={sent} />}
        {noFile && !file ? <Notice tone="danger">Choose the CSV file of the list first.</Notice> : null}
        {problem && sent === null ? <Notice tone="danger">{problem}</Notice> : null}
        <ListHelp />
      </CardBody>
    </Card>
  )
}
