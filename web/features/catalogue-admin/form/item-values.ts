import type { MenuItem, MenuItemFields } from '#contracts/catalogue'

/** The form's values: the item's fields with every optional one filled in. */
export type ItemValues = Omit<MenuItemFields, 'description' | 'imageUrl'> & {
  description: string
  imageUrl: string
}

export const emptyItem: ItemValues = {
  name: '',
  description: '',
  price: '',
  imageUrl: '',
  type: 'primary',
  categories: [],
  proteinDescriptions: {},
  weekNumbers: [],
  daysOfWeek: [],
  allergens: [],
  sideDishes: [],
  isAvailable: true,
  portionLimit: null,
}

export const valuesOf = (item: MenuItem): ItemValues => {
  const {
    id: _id,
    isArchived: _isArchived,
    discountPrice: _price,
    discountPercentage: _percentage,
    ...fields
  } = item
  return { ...fields, description: item.description ?? '', imageUrl: item.imageUrl ?? '' }
}

const ascending = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b)

/** The body sent: no image is null, lists in order, descriptions of chosen proteins only and none of them empty. */
export const bodyOf = (values: MenuItemFields): MenuItemFields => ({
  ...values,
  name: values.name.trim(),
  description: values.description?.trim() || null,
  imageUrl: values.imageUrl?.trim() || null,
  portionLimit: values.portionLimit ?? null,
  weekNumbers: ascending(values.weekNumbers),
  daysOfWeek: ascending(values.daysOfWeek),
  proteinDescriptions: Object.fromEntries(
    values.categories
      .map((protein) => [protein, values.proteinDescriptions[protein]?.trim() ?? ''] as const)
      .filter(([, text]) => text !== ''),
  ),
})

/** What the price field keeps of a keystroke: digits, one dot, two decimals at most; otherwise what was there. */
export const acceptedPrice = (typed: string, before: string): string =>
  /^\d*(\.\d{0,2})?$/.test(typed) ? typed : before

/** The list with this value taken out, or put at its end. */
export const toggledIn = <Value>(list: readonly Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value]
