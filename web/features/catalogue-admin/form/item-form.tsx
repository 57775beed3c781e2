import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, type ChangeEvent, useEffect } from 'react'
import { useFormContext, useController } from 'react-hook-form'
import { dietNames, type MenuItem, updateMenuItem } from '#contracts/catalogue'
import { maxLeadDays } from '#contracts/dish-fields'
import { dietWords, standardAllergens } from '#contracts/health'
import { capitalised, counted, dayName } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { plainNumber, typedNumber } from '../../../lib/typed-number'
import { allergensQuery } from '../../../queries/identity'
import { Checkbox } from '../../../ui/checkbox'
import { ChipGroup } from '../../../ui/chip-group'
import { TextField } from '../../../ui/field'
import { CancelButton, Form, SubmitButton, FormField } from '../../../ui/form'
import { type Choice, Select } from '../../../ui/select'
import { saveItem, uploadedPicture } from '../api'
import { IngredientFields } from './ingredient-fields'
import {
  bodyOf,
  emptyItem,
  valuesOf,
  type NameLock,
  type ItemValues,
  nameChange,
  toggledIn,
} from './item-values'
import { PictureField } from './picture-field'
import { ProteinFields, SideDishFields } from './protein-fields'

type ItemFormProps = {
  item: MenuItem | null
  /** One below the parent heading. */
  level: 2 | 3
  lock: NameLock
  onLocked: () => void
  onSaved: () => void
  onCancel: () => void
}

export const ItemForm = ({ item, level, onSaved, onCancel, ...name }: ItemFormProps) => {
  const saving = useMutation(saveItem)
  // Saving now would lose the picture.
  const uploading = useIsMutating({ mutationKey: uploadedPicture.mutationKey }) > 0
  return (
    <Form
      schema={updateMenuItem.body}
      defaultValues={item ? valuesOf(item) : emptyItem}
      onSave={async (values) => {
        await saving.mutateAsync({ id: item?.id ?? null, body: bodyOf(values) })
        adminToast({ title: `Menu item ${item ? 'updated' : 'created'} successfully` })
        onSaved()
      }}
      failed="Failed to save menu item"
      className="flex flex-col gap-8"
    >
      <Part level={level} title="The dish">
        <DishFields savedName={item?.name ?? ''} {...name} />
      </Part>
      <Part level={level} title="Proteins">
        <ProteinFields />
      </Part>
      <Part level={level} title="On the plate">
        <SideDishFields />
        <AllergenFields />
        <DietFields />
      </Part>
      <Part level={level} title="Ingredients">
        <IngredientFields />
      </Part>
      <Part level={level} title="When it is offered">
        <OfferFields />
      </Part>
      <div className="flex flex-col-reverse gap-2 border-t border-line pt-5 sm:flex-row sm:justify-end">
        <CancelButton onCancel={onCancel} />
        <SubmitButton busyLabel="Saving..." disabled={uploading}>
          {item ? 'Update Menu Item' : 'Create Menu Item'}
        </SubmitButton>
      </div>
    </Form>
  )
}

type PartProps = { level: 2 | 3; title: string; children: ReactNode }

const Part = ({ level, title, children }: PartProps) => {
  const Heading = `h${level}` as const
  return (
    <section aria-label={title} className="grid gap-4 lg:grid-cols-4">
      <Heading className="font-display text-lg font-semibold">{title}</Heading>
      <div className="flex min-w-0 flex-col gap-4 lg:col-span-3">{children}</div>
    </section>
  )
}

type NameFieldProps = { lock: NameLock; savedName: string; onLocked: () => void }

const types = [
  { value: 'primary', label: 'Primary' },
  { value: 'secondary', label: 'Secondary' },
]

export const DishFields = (name: NameFieldProps) => {
  const { register } = useFormContext<ItemValues>()
  return (
    <>
      <NameField {...name} />
      <div className="grid grid-cols-2 gap-4">
        <PriceField />
        <FormField name="type" label="Type" options={types} />
      </div>
      <FormField name="description" label="Description (optional)" rows={2} maxLength={2000} />
      <PictureField />
      <PortionsField />
      <Checkbox
        {...register('isAvailable')}
        label="Available"
        hint="Families can order it on its days. Off, it stays on the list but cannot be ordered."
      />
    </>
  )
}

const PriceField = () => {
  const {
    register,
    formState: { errors },
  } = useFormContext<ItemValues>()
  return (
    <TextField
      {...register('price', { setValueAs: plainNumber })}
      label="Price (K)"
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.00"
      error={errors.price?.message}
    />
  )
}

const PortionsField = () => {
  const {
    register,
    formState: { errors },
  } = useFormContext<ItemValues>()
  return (
    <TextField
      {...register('portionLimit', {
        setValueAs: typedNumber,
      })}
      label="Portions a day (optional)"
      inputMode="numeric"
      autoComplete="off"
      hint="How many can be ordered for one date; empty for any number. A limit below what is ordered cancels nothing."
      error={errors.portionLimit?.message}
    />
  )
}

/** Once the item has orders a changed name is reset and a dialog asks, also if it was changed before orders were known. */
const NameField = ({ lock, savedName, onLocked }: NameFieldProps) => {
  const {
    register,
    getValues,
    setValue,
    clearErrors,
    formState: { errors },
  } = useFormContext<ItemValues>()
  const field = register('name')
  useEffect(() => {
    if (nameChange(lock, savedName, getValues('name')) === 'take') return
    setValue('name', savedName)
    clearErrors('name')
    onLocked()
  }, [lock, savedName, getValues, setValue, clearErrors, onLocked])
  const change = async (event: ChangeEvent<HTMLInputElement>) => {
    if (nameChange(lock, savedName, event.target.value) === 'take') return field.onChange(event)
    event.target.value = savedName
    onLocked()
  }
  return (
    <TextField
      {...field}
      onChange={change}
      label="Name"
      maxLength={120}
      autoComplete="off"
      error={errors.name?.message}
      hint={lock === 'locked' ? 'This item has orders, so its name is locked.' : undefined}
    />
  )
}

const weeks = [1, 2, 3, 4, 5, 6].map((week) => ({ value: String(week), label: `Week ${week}` }))
const days = [1, 2, 3, 4, 5].map((day) => ({ value: String(day), label: dayName(day) }))

export const OfferFields = () => (
  <div className="flex flex-col gap-5">
    <NumberChips name="weekNumbers" label="Weeks" options={weeks} />
    <NumberChips name="daysOfWeek" label="Days" options={days} />
    <LeadDaysField />
  </div>
)

const leads = Array.from({ length: maxLeadDays + 1 }, (_, lead) => ({
  value: String(lead),
  label: lead === 0 ? 'As long as other dishes' : `${counted(lead, 'school day')} earlier`,
}))

const LeadDaysField = () => {
  const {
    field: { value, onChange },
  } = useController<ItemValues, 'leadDays'>({ name: 'leadDays' })
  return (
    <Select
      label="Can be ordered"
      value={String(value)}
      options={leads}
      hint="For a dish that the kitchen has to buy or prepare earlier."
      onChange={(event) => onChange(Number(event.target.value))}
    />
  )
}

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

export const AllergenFields = () => {
  const {
    field: { ref, value, onChange },
    fieldState,
  } = useController<ItemValues, 'allergens'>({ name: 'allergens' })
  const { data } = useQuery(allergensQuery)
  const chosen = value ?? []
  const offered = [...new Set<string>([...(data?.allergens ?? standardAllergens), ...chosen])]
  const change = (now: string[]) => onChange(now.length > 0 ? now : null)
  return (
    <div className="flex flex-col gap-2">
      <ChipGroup
        ref={ref}
        label="Allergens (optional)"
        options={offered.map((allergen) => ({ value: allergen, label: allergen }))}
        chosen={chosen}
        onToggle={(allergen) => change(toggledIn(chosen, allergen))}
        error={fieldState.error?.message}
      />
      {chosen.length > 0 ? null : (
        <Checkbox
          label="None of these"
          hint="Off, the allergens of this dish are not stated."
          checked={value !== null}
          onChange={(event) => onChange(event.target.checked ? [] : null)}
        />
      )}
    </div>
  )
}

const dietChoices = [
  { value: 'unknown', label: 'Not stated' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

/** A family of such a diet is asked to ask the kitchen where it is not stated. */
export const DietFields = () => (
  <fieldset>
    <legend className="mb-1.5 text-sm font-semibold text-sand-800">Suits these diets (optional)</legend>
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {dietNames.map((name) => (
        <FormField
          key={name}
          name={`diets.${name}`}
          label={capitalised(dietWords[name])}
          options={dietChoices}
        />
      ))}
    </div>
    <p className="mt-1.5 text-sm text-muted">
      Yes and No hold with every protein and side dish. A child with a diet cannot have a meal that says No,
      or only after a warning, as the rule for allergies says.
    </p>
  </fieldset>
)
