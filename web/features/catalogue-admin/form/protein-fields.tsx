import { useState } from 'react'
import { useController } from 'react-hook-form'
import { capitalised } from '../../../lib/format'
import { ChipGroup } from '../../../ui/chip-group'
import { TextField } from '../../../ui/text-field'
import { AddText } from './add-text'
import { type ItemValues, toggledIn } from './item-values'
import { offeredProteins, proteinName, withProtein } from './proteins'

/** The protein options, custom ones too, and a description for each that is chosen. */
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

// One value of the form for all of them: a protein's name may have a dot, which would pass for a path.
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
