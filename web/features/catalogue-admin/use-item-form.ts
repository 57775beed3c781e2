import { menuItemFields } from '#contracts/catalogue'
import type { MenuItem, MenuItemFields } from '#contracts/catalogue'
import { useSchemaForm } from '../../ui/form'
import { bodyOf, emptyItem, valuesOf } from './item-values'

/** The menu item form over the contract's schema; `send` gets the body as the server takes it. */
export const useItemForm = (
  item: MenuItem | null,
  send: (body: MenuItemFields) => Promise<unknown>,
  onFailure: (error: unknown) => void,
) =>
  useSchemaForm({
    schema: menuItemFields,
    defaultValues: item ? valuesOf(item) : emptyItem,
    onSubmit: (values) => send(bodyOf(values)),
    onFailure,
  })

export type ItemFormState = ReturnType<typeof useItemForm>
