import { type MenuItem, menuItemFields, type MenuItemFields } from '#contracts/catalogue'
import { useSchemaForm } from '../../../ui/form'
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

type ListName = 'categories' | 'weekNumbers' | 'daysOfWeek' | 'allergens' | 'sideDishes'

/** Replaces a list of the form; its message goes as soon as the list is right again. */
export const setList = <Value extends string | number>(
  form: ItemFormState,
  name: ListName,
  values: Value[],
): void =>
  form.setValue(name, values as never, {
    shouldDirty: true,
    shouldValidate: form.formState.isSubmitted,
  })

/** The list with this value taken out, or put at its end. */
export const toggledIn = <Value>(list: readonly Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value]
