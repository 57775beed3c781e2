import { Field } from './field'

type CsvFieldProps = { disabled: boolean; onFile: (file: File | null) => void }

/** Takes one CSV file. */
export const CsvField = ({ disabled, onFile }: CsvFieldProps) => (
  <Field label="CSV file" className="min-w-0 flex-1">
    {(control) => (
      <input
        {...control}
        type="file"
        accept=".csv,.txt,text/csv"
        disabled={disabled}
        onChange={(event) => onFile(event.target.files?.[0] ?? null)}
        className="min-h-11 w-full rounded-md border border-sand-400 bg-surface text-sm text-muted file:mr-3 file:min-h-11 file:bg-sand-100 file:px-3 file:font-semibold file:text-ink"
      />
    )}
  </Field>
)
