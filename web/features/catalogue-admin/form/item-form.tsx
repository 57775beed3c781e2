import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { type MenuItem, menuItemFields } from '#contracts/catalogue'
import { showFieldErrors } from '../../../lib/field-errors'
import { adminToast } from '../../../lib/toast'
import { notifyFailure } from '../../../lib/notify-outcome'
import { Button } from '../../../ui/button'
import { saveItem } from '../api'
import { DishFields } from './dish-fields'
import { bodyOf, emptyItem, valuesOf } from './item-values'
import type { NameLock } from './name-lock'
import { AllergenFields, OfferFields } from './offer-fields'
import { ProteinFields } from './protein-fields'
import { SideDishFields } from './side-dish-fields'

type ItemFormProps = {
  /** The item to change, or null for a new one. */
  item: MenuItem | null
  /** Of its headings: one below the heading that it stands under. */
  level: 2 | 3
  lock: NameLock
  onLocked: () => void
  onSaved: () => void
  onCancel: () => void
}

/** Every field of a menu item, to create one or to change one. */
export const ItemForm = ({ item, level, onSaved, onCancel, ...name }: ItemFormProps) => {
  const { form, save } = useItemForm(item, onSaved)
  const { isSubmitting } = form.formState
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={save} className="flex flex-col gap-8">
        <Part level={level} title="The dish">
          <DishFields savedName={item?.name ?? ''} {...name} />
        </Part>
        <Part level={level} title="Proteins">
          <ProteinFields />
        </Part>
        <Part level={level} title="On the plate">
          <SideDishFields />
          <AllergenFields />
        </Part>
        <Part level={level} title="When it is offered">
          <OfferFields />
        </Part>
        <div className="flex flex-col-reverse gap-2 border-t border-line pt-5 sm:flex-row sm:justify-end">
          <Button variant="secondary" onClick={onCancel} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" busy={isSubmitting} busyLabel="Saving...">
            {item ? 'Update Menu Item' : 'Create Menu Item'}
          </Button>
        </div>
      </form>
    </FormProvider>
  )
}

const useItemForm = (item: MenuItem | null, onSaved: () => void) => {
  const saving = useMutation(saveItem)
  const form = useForm({
    resolver: zodResolver(menuItemFields),
    defaultValues: item ? valuesOf(item) : emptyItem,
  })
  const save = form.handleSubmit(async (values) => {
    try {
      await saving.mutateAsync({ id: item?.id ?? null, body: bodyOf(values) })
      adminToast({ title: `Menu item ${item ? 'updated' : 'created'} successfully` })
      onSaved()
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to save menu item')
    }
  })
  return { form, save }
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
