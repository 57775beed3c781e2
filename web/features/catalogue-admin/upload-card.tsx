import { useMutation } from '@tanstack/react-query'
import { useState, type ChangeEvent, useEffect, useRef } from 'react'
import { type bulkUpload, csvColumns } from '#contracts/catalogue'
import type { ReplyOf } from '#contracts/endpoint'
import { adminToast, notifyOutcome } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { upload } from './api'
import { counted, wholeNumber } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Field } from '../../ui/field'
import { csvFile, saveCsv } from '../../lib/files'

const words = { failed: 'Failed to upload menu items', failedTitle: 'Upload Failed' }

const formOf = (file: File) => {
  const form = new FormData()
  form.set('file', file)
  return form
}

/** With a CSV template. Asks before changing existing items. */
export const UploadCard = ({ id }: { id: string }) => {
  const check = useMutation(upload)
  const send = useMutation(upload)
  const [asking, setAsking] = useState<Outcome | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const pick = (picked: File | null) => {
    send.reset()
    setFile(picked)
  }
  const start = async () => {
    if (!file)
      return adminToast({ title: 'No File Selected', text: 'Please select a CSV file', kind: 'error' })
    send.reset()
    const planned = await notifyOutcome(
      check.mutateAsync({ query: { dryRun: 'true' }, form: formOf(file) }),
      words,
    )
    if (!planned) return undefined
    return planned.changedCount > 0 ? setAsking(planned) : store(file)
  }
  const store = async (stored: File) => {
    setAsking(null)
    if (await notifyOutcome(send.mutateAsync({ query: {}, form: formOf(stored) }), words)) setFile(null)
  }
  const busy = check.isPending || send.isPending
  return (
    <Card id={id}>
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
          <CsvPicker file={file} onPick={pick} disabled={busy} />
          <Button icon="upload" onClick={() => void start()} busy={busy} busyLabel="Uploading...">
            Upload
          </Button>
        </div>
        {busy ? <progress aria-label="Uploading menu items" className="progress" /> : null}
        <div aria-live="polite">{send.data ? <UploadResult result={send.data} /> : null}</div>
      </CardBody>
      {asking && file ? (
        <ChangesAsked planned={asking} onConfirm={() => void store(file)} onClose={() => setAsking(null)} />
      ) : null}
    </Card>
  )
}

type Outcome = ReplyOf<typeof bulkUpload>
type ChangesAskedProps = { planned: Outcome; onConfirm: () => void; onClose: () => void }

const maxNamed = 20

/** Lists the items to change. */
const ChangesAsked = ({ planned, onConfirm, onClose }: ChangesAskedProps) => {
  const { changed, changedCount, createdCount, errorCount } = planned
  const names = [...new Set(changed.map(({ name }) => name))]
  const more = names.length > maxNamed ? ' and others' : ''
  return (
    <ConfirmDialog
      open
      title={`Change ${counted(changedCount, 'menu item')}?`}
      confirm="Upload and Change"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {`The file changes items that are on the menu: ${names.slice(0, maxNamed).join(', ')}${more}. `}
      {`${counted(createdCount, 'item')} would be new`}
      {errorCount > 0 ? `, and ${counted(errorCount, 'row')} with errors left out.` : '.'}
    </ConfirmDialog>
  )
}

/** Saved and failed rows with reasons. */
const UploadResult = ({ result }: { result: Outcome }) => (
  <div className="rounded-md border border-line bg-sand-50 p-4">
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="mr-2 font-semibold">Upload result</h3>
      <Badge tone="brand" icon="check">
        {`${wholeNumber(result.successCount)} saved`}
      </Badge>
      <span className="text-sm text-muted">
        {`${wholeNumber(result.createdCount)} new, ${wholeNumber(result.changedCount)} changed`}
      </span>
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

type Row = Record<(typeof csvColumns)[number], string>

/** Shows every notation: `|` pairs, lists, allergens or `none`, diets. */
const sampleRows: [Row, Row] = [
  {
    name: 'Chicken Rice Bowl',
    description: 'Grilled chicken on savoury rice with tomato relish',
    price: '45.00',
    type: 'primary',
    categories: 'chicken,vegetarian',
    proteinDescriptions: 'chicken:Grilled chicken strips|vegetarian:Spiced chickpeas',
    weekNumbers: '1,2,3,4',
    daysOfWeek: '1,3,5',
    allergens: 'Milk,Soybeans',
    diets: 'halal:yes|noPork:yes|noBeef:yes',
    sideDishes: 'Garden salad,Fruit cup',
    isAvailable: 'true',
  },
  {
    name: 'Beef Stew with Nshima',
    description: 'Slow-cooked beef with greens',
    price: '60.50',
    type: 'secondary',
    categories: 'beef,fish',
    proteinDescriptions: 'beef:Tender beef stew|fish:Grilled bream',
    weekNumbers: '1,2,3,4,5,6',
    daysOfWeek: '2,4',
    allergens: 'none',
    diets: 'vegetarian:no|noPork:yes|noBeef:no',
    sideDishes: 'Coleslaw,Rape greens',
    isAvailable: 'true',
  },
]

const templateName = 'menu-items-template.csv'

/** Columns in order and two sample rows, accepted by the upload. */
export const templateCsv = (): Promise<string> =>
  csvFile(
    csvColumns,
    sampleRows.map((row) => csvColumns.map((column) => row[column])),
  )

export const isCsvFile = (file: { name: string; type: string }): boolean =>
  file.type === 'text/csv' || file.name.toLowerCase().endsWith('.csv')

export const sizeInKb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`

const downloadTemplate = async (): Promise<void> => {
  try {
    saveCsv(templateName, await templateCsv())
    adminToast({ title: 'Template Downloaded' })
  } catch {
    adminToast({ title: 'Template not downloaded', text: 'Failed to make the file', kind: 'error' })
  }
}
