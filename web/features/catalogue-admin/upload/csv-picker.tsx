import { type ChangeEvent, useEffect, useRef } from 'react'
import { adminToast } from '../../../lib/toast'
import { Field } from '../../../ui/field'
import { isCsvFile, sizeInKb } from './csv-file'

type CsvPickerProps = { file: File | null; onPick: (file: File | null) => void; disabled: boolean }

/** Takes one CSV file and shows its size; anything else is turned away. */
export const CsvPicker = ({ file, onPick, disabled }: CsvPickerProps) => {
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
