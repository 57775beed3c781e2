import { type FormEvent, useState } from 'react'
import { rollColumns, rollMapping, type RollColumn, type RollMapping } from '#contracts/roll-import'
import { csvFile, saveCsv } from '../../lib/files'
import { adminToast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { CsvField } from '../../ui/field'
import { MappingForm } from '../../ui/mapping-form'
import { Notice } from '../../ui/notice'
import { type Preview, columnText, mappedText } from './import-draft'
import { FileCheckBar, useFileCheck } from './use-looking'

/** Changes nothing yet. */
export const UploadCard = ({ onLooked }: { onLooked: (file: File, preview: Preview) => Promise<void> }) => {
  const [file, setFile] = useState<File | null>(null)
  const [noFile, setNoFile] = useState(false)
  const { start, sent, problem, columns, reset } = useFileCheck()
  const check = async (mapping?: RollMapping) => {
    setNoFile(file === null)
    if (!file) return
    const preview = await start(file, mapping)
    if (preview) await onLooked(file, preview)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void check()
  }
  if (columns)
    return (
      <MappingForm
        key={columns.why}
        labels={mappedText}
        schema={rollMapping}
        columns={columns}
        hint="We have not seen such a list before. Tell us once; lists with these headings are then recognised."
        action={{ label: 'Check File', busyLabel: 'Working...' }}
        busy={sent !== null}
        onSend={(mapping) => void check(mapping)}
        onCancel={reset}
      />
    )
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
        <form noValidate onSubmit={submit} className="flex flex-col gap-3 md:flex-row md:items-end">
          <CsvField disabled={sent !== null} onFile={setFile} />
          <Button type="submit" icon="upload" busy={sent !== null} busyLabel="Working...">
            Check File
          </Button>
        </form>
        {sent === null ? null : <FileCheckBar sent={sent} />}
        {noFile && !file ? <Notice tone="danger">Choose the CSV file of the list first.</Notice> : null}
        {problem && sent === null ? <Notice tone="danger">{problem}</Notice> : null}
        <ListHelp />
      </CardBody>
    </Card>
  )
}

const ListHelp = () => (
  <section aria-labelledby="list-help" className="rounded-md border border-line bg-sand-50 p-4">
    <h3 id="list-help" className="font-semibold">
      What the file holds
    </h3>
    <p className="mt-1 text-sm">
      One row for each child of the school, with these columns in any order. Their names are in the first row.
      In Excel, save the list as “CSV UTF-8”.
    </p>
    <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
      {rollColumns.map((column) => (
        <div key={column}>
          <dt className="font-semibold">
            {columnText[column].label}
            {columnText[column].needed ? (
              <span className="font-normal text-danger-700"> (needed)</span>
            ) : null}
          </dt>
          <dd className="text-muted">{columnText[column].holds}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-3 text-sm">
      If the columns have other names, we ask which is which. A column that the file does not have stays as it
      is in the roll. A row with a mistake is left out and named; all others are read.
    </p>
  </section>
)

type Row = Record<RollColumn, string>

/** Two siblings, and a child with little data. */
const sampleRows: readonly Row[] = [
  {
    admissionNumber: 'A-001',
    student: 'Chipo Banda',
    grade: '3',
    class: '3B',
    guardian: 'Mrs Banda',
    email: 'banda@example.com',
    phone: '0977 123 456',
    bursary: '',
    sponsor: '',
  },
  {
    admissionNumber: 'A-002',
    student: 'Mapalo Banda',
    grade: 'K',
    class: '',
    guardian: 'Mrs Banda',
    email: 'banda@example.com',
    phone: '0977 123 456',
    bursary: '',
    sponsor: '',
  },
  {
    admissionNumber: '',
    student: 'Luse Phiri',
    grade: 'ELC',
    class: '',
    guardian: 'Mr Phiri',
    email: '',
    phone: '0966 300 400',
    bursary: '50',
    sponsor: 'Rotary Club',
  },
]

/** A valid example list. */
export const templateCsv = (): Promise<string> =>
  csvFile(
    rollColumns,
    sampleRows.map((row) => rollColumns.map((column) => row[column])),
  )

const downloadTemplate = async (): Promise<void> => {
  try {
    saveCsv('school-list-template.csv', await templateCsv())
    adminToast({ title: 'Template Downloaded' })
  } catch {
    adminToast({ title: 'Template not downloaded', text: 'Failed to make the file', kind: 'error' })
  }
}
