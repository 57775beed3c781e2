import { useIsMutating, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type MenuItem, menuItemFields } from '#contracts/catalogue'
import { adminToast } from '../../../lib/toast'
import { CancelButton, Form, SubmitButton } from '../../../ui/form'
import { saveItem, uploadedPicture } from '../api'
import { DishFields } from './dish-fields'
import { bodyOf, emptyItem, valuesOf } from './item-values'
import type { NameLock } from './name-lock-dialog'
import { AllergenFields, OfferFields } from './offer-fields'
import { ProteinFields, SideDishFields } from './protein-fields'

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
  const saving = useMutation(saveItem)
  // Saved now, the item would not have the picture that is on its way.
  const uploading = useIsMutating({ mutationKey: uploadedPicture.mutationKey }) > 0
  return (
    <Form
      schema={menuItemFields}
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
