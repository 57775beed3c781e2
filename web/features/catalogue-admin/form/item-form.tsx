import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { adminToast } from '../../../lib/toast'
import { tellFailure } from '../../../lib/told'
import { Button } from '../../../ui/button'
import { saveItem } from '../api'
import { DishFields } from './dish-fields'
import type { NameLock } from './name-lock'
import { AllergenFields, OfferFields } from './offer-fields'
import { ProteinFields } from './protein-fields'
import { SideDishFields } from './side-dish-fields'
import { type ItemFormState, useItemForm } from './use-item-form'

type ItemFormProps = {
  /** The item to change, or null for a new one. */
  item: MenuItem | null
  lock: NameLock
  onLocked: () => void
  onSaved: () => void
  onCancel: () => void
}

/** Every field of a menu item, to create one or to change one. */
export const ItemForm = (needs: ItemFormProps) => {
  const form = useSavedForm(needs)
  const element = useFirstWrongField(form)
  return (
    <form ref={element} noValidate onSubmit={form.submit} className="flex flex-col gap-8">
      <Part title="The dish">
        <DishFields form={form} {...needs} />
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
        <Button variant="secondary" onClick={needs.onCancel} disabled={form.busy}>
          Cancel
        </Button>
        <Button type="submit" busy={form.busy} busyLabel="Saving...">
          {needs.item ? 'Update Menu Item' : 'Create Menu Item'}
        </Button>
      </div>
    </form>
  )
}

const useSavedForm = ({ item, onSaved }: ItemFormProps) => {
  const save = useMutation(saveItem)
  return useItemForm(
    item,
    async (body) => {
      await save.mutateAsync({ id: item?.id ?? null, body })
      adminToast({ title: `Menu item ${item ? 'updated' : 'created'} successfully` })
      onSaved()
    },
    (error) => tellFailure(error, 'Failed to save menu item'),
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-4 lg:grid-cols-4">
    <h3 className="font-display text-lg font-semibold">{title}</h3>
    <div className="flex min-w-0 flex-col gap-4 lg:col-span-3">{children}</div>
  </section>
)

/** After a refused submit the focus goes to the first wrong field, also where that is a group of boxes. */
const useFirstWrongField = (form: ItemFormState) => {
  const element = useRef<HTMLFormElement>(null)
  const { submitCount } = form.formState
  useEffect(() => {
    if (submitCount > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount])
  return element
}
