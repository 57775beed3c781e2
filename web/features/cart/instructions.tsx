import { TextArea } from '../../ui/text-field'

const maxCharacters = 500
const charactersInARow = 32
const mostRows = 6

type InstructionsProps = { value: string; onChange: (text: string) => void; className?: string }

/** What the kitchen should know about one meal: a single row while there is nothing in it, then as tall as its text. */
export const Instructions = ({ value, onChange, className }: InstructionsProps) => (
  <TextArea
    label="Special instructions"
    hideLabel
    placeholder="Special instructions"
    hint={value ? `Instructions, ${value.length} of ${maxCharacters} characters` : null}
    rows={rowsOf(value)}
    maxLength={maxCharacters}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={className}
  />
)

const rowsOf = (text: string) => {
  const rows = text.split('\n').map((line) => Math.floor(line.length / charactersInARow) + 1)
  return Math.min(
    rows.reduce((sum, more) => sum + more, 0),
    mostRows,
  )
}
