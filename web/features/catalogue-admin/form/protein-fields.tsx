import { useState } from 'react'
import { capitalised } from '../../../lib/format'
import { ChipGroup } from '../../../ui/chip-group'
import { TextField } from '../../../ui/text-field'
import { AddText } from './add-text'
import { type ItemFormState, setList, toggledIn } from './use-item-form'
import { offeredProteins, proteinName, withProtein } from './proteins'

/** The protein options, custom ones too, and a description for each that is chosen. */
export const ProteinFields = ({ form }: { form: ItemFormState }) => {
  const chosen = form.watch('categories')
  const [custom, setCustom] = useState<string[]>([])
  const offered = offeredProteins([...new Set([...custom, ...chosen])])
  const add = (typed: string) => {
    const next = withProtein(chosen, typed)
    if (!next) return
    setCustom([...custom, proteinName(typed)])
    setList(form, 'categories', next)
  }
  return (
    <div className="flex flex-col gap-4">
      <ChipGroup
        label="Protein options"
        options={offered.map((protein) => ({ value: protein, label: capitalised(protein) }))}
        chosen={chosen}
        onToggle={(protein) => setList(form, 'categories', toggledIn(chosen, protein))}
        error={form.errorOf('categories')}
      />
      <AddText
        label="Add a custom protein"
        button="Add Protein"
        problem={(typed) =>
          chosen.includes(proteinName(typed)) ? 'This protein is already chosen' : undefined
        }
        onAdd={add}
      />
      {chosen.length > 0 ? <Descriptions form={form} chosen={chosen} /> : null}
    </div>
  )
}

const Descriptions = ({ form, chosen }: { form: ItemFormState; chosen: string[] }) => {
  const texts = form.watch('proteinDescriptions') ?? {}
  const describe = (protein: string, text: string) =>
    form.setValue('proteinDescriptions', { ...texts, [protein]: text }, { shouldDirty: true })
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {chosen.map((protein) => (
        <TextField
          key={protein}
          label={`${capitalised(protein)} description (optional)`}
          maxLength={500}
          value={texts[protein] ?? ''}
          onChange={(event) => describe(protein, event.target.value)}
        />
      ))}
    </div>
  )
}
