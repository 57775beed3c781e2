import { Refusal } from '#kernel/refusal'

export const catalogueStatus = {
  item_not_found: 404,
  item_invalid: 422,
  name_locked: 409,
  item_has_orders: 409,
  columns_twice: 422,
  allergen_column: 422,
  diet_column: 422,
  allergen_unknown: 422,
  allergen_in_use: 409,
  too_many_allergens: 422,
  not_a_picture: 422,
  picture_animated: 422,
  picture_broken: 422,
  picture_too_many_pixels: 422,
  picture_too_narrow: 422,
  picture_too_small: 422,
}

type CatalogueRefusal = keyof typeof catalogueStatus

export const refused = (
  code: CatalogueRefusal,
  message: string,
  more?: ConstructorParameters<typeof Refusal>[2],
) => new Refusal<CatalogueRefusal>(code, message, more)

export const itemNotFound = (): Refusal<CatalogueRefusal> => refused('item_not_found', 'Item not found')
