import type { ItemFormState } from './use-item-form'

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
