import { type ChangeEvent, useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { Checkbox } from '../../../ui/checkbox'
import { FormField } from '../../../ui/form'
import { TextField } from '../../../ui/text-field'
import { acceptedPrice, type ItemValues } from './item-values'
import { nameChange, type NameLock } from './name-lock-dialog'
import { PictureField } from './picture-field'

type NameFieldProps = { lock: NameLock; savedName: string; onLocked: () => void }

const types = [
  { value: 'primary', label: 'Primary' },
  { value: 'secondary', label: 'Secondary' },
]

/** Name, price, type, description, picture, and whether it can be ordered. */
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
    getValues,
    formState: { errors },
  } = useFormContext<ItemValues>()
  const field = register('price')
  return (
    <TextField
      {...field}
      onChange={(event) => {
        event.target.value = acceptedPrice(event.target.value, getValues('price'))
        return field.onChange(event)
      }}
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
        setValueAs: (typed: string | number | null) =>
          typed === '' || typed === null ? null : Number(typed),
      })}
      label="Portions a day (optional)"
      inputMode="numeric"
      autoComplete="off"
      hint="How many can be ordered for one date; empty for any number. A limit below what is ordered cancels nothing."
      error={errors.portionLimit?.message}
    />
  )
}

/**
 * The name; once the item has orders a change is taken back and the lock's dialog asks instead, also a change made
 * before it was known that there are orders.
 */
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
