import type { MenuItem } from '#contracts/catalogue'
import { type ChangeEvent, useEffect } from 'react'
import { Checkbox } from '../../../ui/checkbox'
import { Select } from '../../../ui/select'
import { TextArea, TextField } from '../../../ui/text-field'
import { ItemPicture } from '../item-picture'
import { nameChange, type NameLock } from './name-lock'
import { acceptedPrice } from './item-values'
import type { ItemFormState } from './use-item-form'

type DishFieldsProps = { form: ItemFormState; item: MenuItem | null; lock: NameLock; onLocked: () => void }

const types = [
  { value: 'primary', label: 'Primary' },
  { value: 'secondary', label: 'Secondary' },
]

/** Name, price, type, description, picture, and whether it can be ordered. */
export const DishFields = ({ form, item, lock, onLocked }: DishFieldsProps) => (
  <>
    <NameField form={form} lock={lock} savedName={item?.name ?? ''} onLocked={onLocked} />
    <div className="grid grid-cols-2 gap-4">
      <PriceField form={form} />
      <Select {...form.register('type')} label="Type" options={types} error={form.errorOf('type')} />
    </div>
    <TextArea
      {...form.register('description')}
      label="Description (optional)"
      rows={2}
      maxLength={2000}
      error={form.errorOf('description')}
    />
    <ImageField form={form} />
    <Checkbox
      {...form.register('isAvailable')}
      label="Available"
      hint="Families can order it on its days. Off, it stays on the list but cannot be ordered."
    />
  </>
)

const PriceField = ({ form }: { form: ItemFormState }) => {
  const field = form.register('price')
  return (
    <TextField
      {...field}
      onChange={(event) => {
        event.target.value = acceptedPrice(event.target.value, form.getValues('price'))
        return field.onChange(event)
      }}
      label="Price (K)"
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.00"
      error={form.errorOf('price')}
    />
  )
}

const ImageField = ({ form }: { form: ItemFormState }) => (
  <div className="flex items-start gap-4">
    <TextField
      {...form.register('imageUrl')}
      className="min-w-0 flex-1"
      label="Image URL (optional)"
      type="url"
      inputMode="url"
      placeholder="https://"
      error={form.errorOf('imageUrl')}
    />
    <ItemPicture url={form.watch('imageUrl')} className="mt-7 size-11" />
  </div>
)

type NameFieldProps = { form: ItemFormState; lock: NameLock; savedName: string; onLocked: () => void }

/**
 * The name; once the item has orders a change is taken back and the lock's dialog asks instead, also a change made
 * before it was known that there are orders.
 */
export const NameField = ({ form, lock, savedName, onLocked }: NameFieldProps) => {
  const field = form.register('name')
  useEffect(() => {
    if (nameChange(lock, savedName, form.getValues('name')) === 'take') return
    form.setValue('name', savedName)
    form.clearErrors('name')
    onLocked()
  }, [lock, savedName, form, onLocked])
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
      error={form.errorOf('name')}
      hint={lock === 'locked' ? 'This item has orders, so its name is locked.' : undefined}
    />
  )
}
