import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { adminToast } from '../../lib/toast'
import { tellFailure } from '../../lib/told'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { Select } from '../../ui/select'
import { TextArea, TextField } from '../../ui/text-field'
import { saveItem } from './api'
import { ItemPicture } from './item-picture'
import { NameField } from './name-field'
import type { NameLock } from './name-lock'
import { AllergenFields, OfferFields } from './offer-fields'
import { acceptedPrice } from './price-input'
import { ProteinFields } from './protein-fields'
import { SideDishFields } from './side-dish-fields'
import { useItemForm } from './use-item-form'
import type { ItemFormState } from './use-item-form'

type ItemFormProps = {
  /** The item to change, or null for a new one. */
  item: MenuItem | null
  lock: NameLock
  onLocked: () => void
  onSaved: () => void
  onCancel: () => void
}

/** Every field of a menu item, to create one or to change one. */
export const ItemForm = ({ item, lock, onLocked, onSaved, onCancel }: ItemFormProps) => {
  const save = useMutation(saveItem)
  const form = useItemForm(
    item,
    async (body) => {
      await save.mutateAsync({ id: item?.id ?? null, body })
      adminToast({ title: `Menu item ${item ? 'updated' : 'created'} successfully` })
      onSaved()
    },
    (error) => tellFailure(error, 'Failed to save menu item'),
  )
  const element = useFirstWrongField(form)
  return (
    <form ref={element} noValidate onSubmit={form.submit} className="flex flex-col gap-8">
      <Part title="The dish">
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
      </Part>
      <Part title="Proteins">
        <ProteinFields form={form} />
      </Part>
      <Part title="On the plate">
        <SideDishFields form={form} />
        <AllergenFields form={form} />
      </Part>
      <Part title="When it is offered">
        <OfferFields form={form} />
      </Part>
      <div className="flex flex-col-reverse gap-2 border-t border-line pt-5 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onCancel} disabled={form.busy}>
          Cancel
        </Button>
        <Button type="submit" busy={form.busy} busyLabel="Saving...">
          {item ? 'Update Menu Item' : 'Create Menu Item'}
        </Button>
      </div>
    </form>
  )
}

const types = [
  { value: 'primary', label: 'Primary' },
  { value: 'secondary', label: 'Secondary' },
]

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-4 lg:grid-cols-4">
    <h3 className="font-display text-lg font-semibold">{title}</h3>
    <div className="flex min-w-0 flex-col gap-4 lg:col-span-3">{children}</div>
  </section>
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

const ImageField = ({ form }: { form: ItemFormState }) => {
  const url = form.watch('imageUrl')
  return (
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
      <ItemPicture url={url} className="mt-7 size-11" />
    </div>
  )
}

/** After a refused submit the focus goes to the first wrong field, also where that is a group of boxes. */
const useFirstWrongField = (form: ItemFormState) => {
  const element = useRef<HTMLFormElement>(null)
  const { submitCount } = form.formState
  useEffect(() => {
    if (submitCount > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount])
  return element
}
