import { useState, type KeyboardEvent } from 'react'
import { useController } from 'react-hook-form'
import { commonProteins } from '#contracts/catalogue'
import { capitalised } from '../../../lib/format'
import { IconButton, Button } from '../../../ui/button'
import { ChipGroup } from '../../../ui/chip-group'
import { TextField } from '../../../ui/field'
import { type ItemValues, toggledIn } from './item-values'

export const ProteinFields = () => {
  const {
    field: { ref, value: chosen, onChange },
    fieldState,
  } = useController<ItemValues, 'categories'>({ name: 'categories' })
  const [custom, setCustom] = useState<string[]>([])
  const offered = offeredProteins([...new Set([...custom, ...chosen])])
  const add = (typed: string) => {
    const next = withProtein(chosen, typed)
    if (!next) return
    setCustom([...custom, proteinName(typed)])
    onChange(next)
  }
  return (
    <div className="flex flex-col gap-4">
      <ChipGroup
        ref={ref}
        label="Protein options"
        options={offered.map((protein) => ({ value: protein, label: capitalised(protein) }))}
        chosen={chosen}
        onToggle={(protein) => onChange(toggledIn(chosen, protein))}
        error={fieldState.error?.message}
      />
      <AddText
        label="Add a custom protein"
        button="Add Protein"
        problem={(typed) =>
          chosen.includes(proteinName(typed)) ? 'This protein is already chosen' : undefined
        }
        onAdd={add}
      />
      {chosen.length > 0 ? <Descriptions chosen={chosen} /> : null}
    </div>
  )
}

// One form value: a dot in a protein's name would pass for a path.
const Descriptions = ({ chosen }: { chosen: string[] }) => {
  const {
    field: { value: texts, onChange },
  } = useController<ItemValues, 'proteinDescriptions'>({ name: 'proteinDescriptions' })
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {chosen.map((protein) => (
        <TextField
          key={protein}
          label={`${capitalised(protein)} description (optional)`}
          maxLength={500}
          value={texts[protein] ?? ''}
          onChange={(event) => onChange({ ...texts, [protein]: event.target.value })}
        />
      ))}
    </div>
  )
}

/** Trimmed lower case. */
const proteinName = (typed: string): string => typed.trim().toLowerCase()

/** Null when empty or a duplicate. */
export const withProtein = (chosen: string[], typed: string): string[] | null => {
  const name = proteinName(typed)
  return name === '' || chosen.includes(name) ? null : [...chosen, name]
}

/** Common proteins, then custom ones. */
export const offeredProteins = (chosen: string[]): string[] => [
  ...commonProteins,
  ...chosen.filter((protein) => !isCommon(protein)),
]

const isCommon = (protein: string): boolean => (commonProteins as readonly string[]).includes(protein)

/** Ignores empty text and repeats. */
export const withSideDish = (sides: string[], typed: string): string[] => {
  const name = typed.trim()
  const known = sides.some((side) => side.toLowerCase() === name.toLowerCase())
  return name === '' || known ? sides : [...sides, name]
}

export const SideDishFields = () => {
  const {
    field: { value: sides, onChange: set },
  } = useController<ItemValues, 'sideDishes'>({ name: 'sideDishes' })
  return (
    <div className="flex flex-col gap-3">
      <AddText
        label="Side dishes (optional)"
        button="Add Side Dish"
        placeholder="Garden salad"
        onAdd={(text) => set(withSideDish(sides, text))}
      />
      {sides.length > 0 ? (
        <ul aria-label="Side dishes" className="flex flex-wrap gap-2">
          {sides.map((side) => (
            <li
              key={side}
              className="inline-flex items-center rounded-md border border-line bg-sand-50 pl-3 text-sm"
            >
              {side}
              <IconButton
                icon="close"
                label={`Remove ${side}`}
                onClick={() => set(sides.filter((other) => other !== side))}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

type AddTextProps = {
  label: string
  button: string
  placeholder?: string
  /** Undefined when it can be added. */
  problem?: (text: string) => string | undefined
  onAdd: (text: string) => void
}

const AddText = ({ label, button, placeholder, problem, onAdd }: AddTextProps) => {
  const [typed, setTyped] = useState('')
  const error = problem?.(typed)
  const add = () => {
    if (error) return
    onAdd(typed)
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <div className="flex flex-col gap-2 sm:flex-row sm:items-start">
      <TextField
        className="min-w-0 flex-1"
        label={label}
        value={typed}
        maxLength={80}
        placeholder={placeholder}
        error={error}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button variant="secondary" icon="plus" onClick={add} className="sm:mt-7">
        {button}
      </Button>
    </div>
  )
}
