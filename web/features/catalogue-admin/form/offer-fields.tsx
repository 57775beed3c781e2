import { useController } from 'react-hook-form'
import { useQuery } from '@tanstack/react-query'
import { standardAllergens } from '#contracts/health'
import { dayName } from '../../../lib/format'
import type { Choice } from '../../../ui/select'
import { ChipGroup } from '../../../ui/chip-group'
import { allergensQuery } from '../api'
import { type ItemValues, toggledIn } from './item-values'

const weeks = [1, 2, 3, 4, 5, 6].map((week) => ({ value: String(week), label: `Week ${week}` }))
const days = [1, 2, 3, 4, 5].map((day) => ({ value: String(day), label: dayName(day) }))

/** When the item is offered: weeks of the cycle and days of the week. */
export const OfferFields = () => (
  <div className="flex flex-col gap-5">
    <NumberChips name="weekNumbers" label="Weeks" options={weeks} />
    <NumberChips name="daysOfWeek" label="Days" options={days} />
  </div>
)

type NumberChipsProps = { name: 'weekNumbers' | 'daysOfWeek'; label: string; options: Choice[] }

const NumberChips = ({ name, label, options }: NumberChipsProps) => {
  const {
    field: { ref, value: chosen, onChange },
    fieldState,
  } = useController<ItemValues, NumberChipsProps['name']>({ name })
  return (
    <ChipGroup
      ref={ref}
      label={label}
      options={options}
      chosen={chosen.map(String)}
      onToggle={(value) => onChange(toggledIn(chosen, Number(value)))}
      error={fieldState.error?.message}
    />
  )
}

/** The allergens of the school's list, and any other that the item came with. */
export const AllergenFields = () => {
  const {
    field: { ref, value: chosen, onChange },
  } = useController<ItemValues, 'allergens'>({ name: 'allergens' })
  const { data } = useQuery(allergensQuery)
  const offered = [...new Set<string>([...(data?.allergens ?? standardAllergens), ...chosen])]
  return (
    <ChipGroup
      ref={ref}
      label="Allergens (optional)"
      options={offered.map((allergen) => ({ value: allergen, label: allergen }))}
      chosen={chosen}
      onToggle={(allergen) => onChange(toggledIn(chosen, allergen))}
    />
  )
}
