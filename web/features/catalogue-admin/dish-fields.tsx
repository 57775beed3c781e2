import type { MenuItem } from '#contracts/catalogue'
import { Checkbox } from '../../ui/checkbox'
import { Select } from '../../ui/select'
import { TextArea, TextField } from '../../ui/text-field'
import { ItemPicture } from './item-picture'
import { NameField } from './name-field'
import type { NameLock } from './name-lock'
import { acceptedPrice } from './price-input'
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
