import { useState } from 'react'
import { Button } from '../../ui/button'
import { ChipGroup } from '../../ui/chip-group'
import { TextField } from '../../ui/text-field'
import { setList, toggledIn } from './list-fields'
import { capitalised } from './offered'
import { offeredProteins, withProtein } from './proteins'
import type { ItemFormState } from './use-item-form'

/** The protein options, custom ones too, and a description for each that is chosen. */
export const ProteinFields = ({ form }: { form: ItemFormState }) => {
  const chosen = form.watch('categories')
  const [custom, setCustom] = useState<string[]>([])
  const offered = offeredProteins([...new Set([...custom, ...chosen])])
  return (
    <div className="flex flex-col gap-4">
      <ChipGroup
        label="Protein options"
        options={offered.map((protein) => ({ value: protein, label: capitalised(protein) }))}
        chosen={chosen}
        onToggle={(protein) => setList(form, 'categories', toggledIn(chosen, protein))}
        error={form.errorOf('categories')}
      />
      <CustomProtein
        chosen={chosen}
        onAdd={(protein, next) => {
          setCustom([...custom, protein])
          setList(form, 'categories', next)
        }}
      />
      {chosen.length > 0 ? <Descriptions form={form} chosen={chosen} /> : null}
    </div>
  )
}

type CustomProteinProps = { chosen: string[]; onAdd: (protein: string, next: string[]) => void }

const CustomProtein = ({ chosen, onAdd }: CustomProteinProps) => {
  const [typed, setTyped] = useState('')
  const next = withProtein(chosen, typed)
  const repeated = typed.trim() !== '' && next === null
  const add = () => {
    const added = next?.at(-1)
    if (!next || !added) return
    onAdd(added, next)
    setTyped('')
  }
  return (
    <div className="flex items-end gap-2">
      <TextField
        className="min-w-0 flex-1"
        label="Add a custom protein"
        value={typed}
        maxLength={80}
        error={repeated ? 'This protein is already chosen' : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button variant="secondary" icon="plus" onClick={add} className={repeated ? 'mb-7' : undefined}>
        Add
      </Button>
    </div>
  )
}

const Descriptions = ({ form, chosen }: { form: ItemFormState; chosen: string[] }) => {
  const texts = form.watch('proteinDescriptions') ?? {}
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {chosen.map((protein) => (
        <TextField
          key={protein}
          label={`${capitalised(protein)} description (optional)`}
          maxLength={500}
          value={texts[protein] ?? ''}
          onChange={(event) =>
            form.setValue(
              'proteinDescriptions',
              { ...texts, [protein]: event.target.value },
              { shouldDirty: true },
            )
          }
        />
      ))}
    </div>
  )
}
