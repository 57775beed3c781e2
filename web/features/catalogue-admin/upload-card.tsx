import { useMutation } from '@tanstack/react-query'
import { useState, type ChangeEvent, useEffect, useRef } from 'react'
import {
  type bulkUpload,
  type CsvColumn,
  csvColumns,
  menuMapping,
  type MenuMapping,
} from '#contracts/catalogue'
import type { ReplyOf } from '#contracts/endpoint'
import { csvFile, type MappedFile, saveCsv, uploadForm } from '../../lib/files'
import { counted, wholeNumber } from '../../lib/format'
import { adminToast, notifyFailure, notifyOutcome } from '../../lib/toast'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Field } from '../../ui/field'
import { LeftOut } from '../../ui/left-out'
import { type ColumnsAsked, mappingFromError, MappingForm } from '../../ui/mapping-form'
import { upload } from './api'

const words = { failed: 'Failed to upload menu items', failedTitle: 'Upload Failed' }

/** With a CSV template. Asks for the columns of an unknown layout, and before it changes items or leaves columns out. */
export const UploadCard = ({ id }: { id: string }) => {
  const check = useMutation(upload)
  const send = useMutation(upload)
  const [asking, setAsking] = useState<Outcome | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [mapping, setMapping] = useState<MenuMapping | null>(null)
  const [columns, setColumns] = useState<ColumnsAsked | null>(null)
  const pick = (picked: File | null) => {
    send.reset()
    setMapping(null)
    setFile(picked)
  }
  const start = async (mapped: MenuMapping | null) => {
    if (!file)
      return adminToast({ title: 'No File Selected', text: 'Please select a CSV file', kind: 'error' })
    send.reset()
    setMapping(mapped)
    try {
      const form = uploadForm({ file, mapping: mapped })
      const planned = await check.mutateAsync({ query: { dryRun: 'true' }, form })
      setColumns(null)
      if (planned.changedCount + planned.notRead.length > 0) setAsking(planned)
      else await store({ file, mapping: mapped })
    } catch (error) {
      const asked = mappingFromError(error)
      if (asked) setColumns(asked)
      else notifyFailure(error, words.failed, words.failedTitle)
    }
  }
  const store = async (stored: MappedFile) => {
    setAsking(null)
    if (await notifyOutcome(send.mutateAsync({ query: {}, form: uploadForm(stored) }), words)) {
      setFile(null)
      setMapping(null)
    }
  }
  const busy = check.isPending || send.isPending
  if (columns)
    return (
      <MappingForm
        key={columns.why}
        labels={columnLabels}
        schema={menuMapping}
        columns={columns}
        hint="We have not seen such a file before. Tell us once; files with these headings are then recognised."
        busy={busy}
        onSend={(mapped) => void start(mapped)}
        onCancel={() => setColumns(null)}
      />
    )
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
          <Button icon="upload" onClick={() => void start(mapping)} busy={busy} busyLabel="Uploading...">
            Upload
          </Button>
        </div>
        {busy ? <progress aria-label="Uploading menu items" className="progress" /> : null}
        <div aria-live="polite">{send.data ? <UploadResult result={send.data} /> : null}</div>
      </CardBody>
      {asking && file ? (
        <ChangesAsked
          planned={asking}
          onConfirm={() => void store({ file, mapping })}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </Card>
  )
}

type Outcome = ReplyOf<typeof bulkUpload>
type ChangesAskedProps = { planned: Outcome; onConfirm: () => void; onClose: () => void }

const maxNamed = 20

/** Lists the items to change and the columns that nobody reads. */
const ChangesAsked = ({ planned, onConfirm, onClose }: ChangesAskedProps) => {
  const { changed, changedCount, createdCount, errorCount, notRead } = planned
  const names = [...new Set(changed.map(({ name }) => name))]
  const more = names.length > maxNamed ? ' and others' : ''
  return (
    <ConfirmDialog
      open
      title={changedCount > 0 ? `Change ${counted(changedCount, 'menu item')}?` : 'Leave columns out?'}
      confirm={changedCount > 0 ? 'Upload and Change' : 'Upload Without Them'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {notRead.length > 0
        ? `These columns are not read: ${notRead.slice(0, maxNamed).join(', ')}. If one of them tells allergens, write them into the column allergens first. `
        : ''}
      {changedCount > 0
        ? `The file changes items that are on the menu: ${names.slice(0, maxNamed).join(', ')}${more}. `
        : ''}
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
    {result.notRead.length > 0 ? (
      <p className="mt-3 text-sm wrap-anywhere">{`Columns that are not read: ${result.notRead.join(', ')}`}</p>
    ) : null}
    <LeftOut of={result} />
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

const columnLabels: Record<CsvColumn, string> = {
  name: 'Name',
  price: 'Price',
  type: 'Type (primary or secondary)',
  categories: 'Proteins',
  weekNumbers: 'Weeks',
  daysOfWeek: 'Days of the week',
  description: 'Description',
  proteinDescriptions: 'Texts of the proteins',
  allergens: 'Allergens',
  diets: 'Diets',
  sideDishes: 'Side dishes',
  isAvailable: 'On sale',
  leadDays: 'Lead days',
  ingredients: 'Ingredients',
}

type Row = Record<CsvColumn, string>

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
    leadDays: '0',
    ingredients: 'Rice:g:120:150|Chicken:g:100:130',
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
    leadDays: '1',
    ingredients: '',
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
