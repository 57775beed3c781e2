import { useController, useFormContext } from 'react-hook-form'
import { type Ingredient, ingredientUnits } from '#contracts/catalogue'
import { typedNumber } from '../../../lib/typed-number'
import { Button, IconButton } from '../../../ui/button'
import { TextField } from '../../../ui/field'
import { FormField } from '../../../ui/form'
import type { ItemValues } from './item-values'

const units = ingredientUnits.map((unit) => ({ value: unit, label: unit }))
const maxIngredients = 12

/** Amounts a portion, for the kitchen's buying list. */
export const IngredientFields = () => {
  const { getValues, setValue } = useFormContext<ItemValues>()
  const {
    field: { value },
  } = useController<ItemValues, 'ingredients'>({ name: 'ingredients' })
  const change = (after: (now: Ingredient[]) => Ingredient[]) =>
    setValue('ingredients', after(getValues('ingredients')), { shouldDirty: true })
  return (
    <div className="flex flex-col gap-3">
      {value.map((_row, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row is its place in the form
        <IngredientRow key={at} at={at} onRemove={() => change((now) => now.toSpliced(at, 1))} />
      ))}
      {value.length < maxIngredients ? (
        <Button
          variant="secondary"
          icon="plus"
          className="self-start"
          onClick={() => change((now) => [...now, { name: '', unit: 'g', primary: 0, secondary: 0 }])}
        >
          Add Ingredient
        </Button>
      ) : null}
      <p className="text-sm text-muted">What one portion takes. The buying list adds it up.</p>
    </div>
  )
}

const IngredientRow = ({ at, onRemove }: { at: number; onRemove: () => void }) => {
  const {
    register,
    formState: { errors },
  } = useFormContext<ItemValues>()
  const problems = errors.ingredients?.[at]
  const amount = (type: 'primary' | 'secondary', label: string) => (
    <TextField
      {...register(`ingredients.${at}.${type}`, { setValueAs: typedNumber })}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      error={problems?.[type]?.message}
    />
  )
  return (
    <fieldset className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[2fr_1fr_1fr_1fr_auto]">
      <legend className="sr-only">{`Ingredient ${at + 1}`}</legend>
      <TextField
        {...register(`ingredients.${at}.name`)}
        label="Ingredient"
        maxLength={40}
        autoComplete="off"
        error={problems?.name?.message}
      />
      <FormField name={`ingredients.${at}.unit`} label="Unit" options={units} />
      {amount('primary', 'Primary')}
      {amount('secondary', 'Secondary')}
      <IconButton icon="trash" label={`Remove ingredient ${at + 1}`} onClick={onRemove} />
    </fieldset>
  )
}
