import { allergenNames } from '#contracts/catalogue'
import { dayName } from '../../../lib/format'
import { ChipGroup } from '../../../ui/chip-group'
import { type ItemFormState, setList, toggledIn } from './use-item-form'

const weeks = [1, 2, 3, 4, 5, 6].map((week) => ({ value: String(week), label: `Week ${week}` }))
const days = [1, 2, 3, 4, 5].map((day) => ({ value: String(day), label: dayName(day) }))

/** When the item is offered: weeks of the cycle and days of the week. */
export const OfferFields = ({ form }: { form: ItemFormState }) => {
  const chosenWeeks = form.watch('weekNumbers')
  const chosenDays = form.watch('daysOfWeek')
  return (
    <div className="flex flex-col gap-5">
      <ChipGroup
        label="Weeks"
        options={weeks}
        chosen={chosenWeeks.map(String)}
        onToggle={(week) => setList(form, 'weekNumbers', toggledIn(chosenWeeks, Number(week)))}
        error={form.errorOf('weekNumbers')}
      />
      <ChipGroup
        label="Days"
        options={days}
        chosen={chosenDays.map(String)}
        onToggle={(day) => setList(form, 'daysOfWeek', toggledIn(chosenDays, Number(day)))}
        error={form.errorOf('daysOfWeek')}
      />
    </div>
  )
}

/** The allergens; the common eight, and any other that the item came with. */
export const AllergenFields = ({ form }: { form: ItemFormState }) => {
  const chosen = form.watch('allergens') ?? []
  const offered = [...new Set<string>([...allergenNames, ...chosen])]
  return (
    <ChipGroup
      label="Allergens (optional)"
      options={offered.map((allergen) => ({ value: allergen, label: allergen }))}
      chosen={chosen}
      onToggle={(allergen) => setList(form, 'allergens', toggledIn(chosen, allergen))}
    />
  )
}
