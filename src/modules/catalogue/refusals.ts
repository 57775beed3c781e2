import { Refusal } from '#kernel/refusal'

export type CatalogueRefusal =
  | 'item_not_found'
  | 'item_invalid'
  | 'name_locked'
  | 'item_has_orders'
  | 'no_file'
  | 'not_csv'
  | 'file_too_large'
  | 'too_many_rows'
  | 'upload_malformed'
  | 'columns_missing'

export const catalogueStatus = {
  item_not_found: 404,
  item_invalid: 422,
  name_locked: 409,
  item_has_orders: 409,
  no_file: 422,
  not_csv: 422,
  file_too_large: 413,
  too_many_rows: 413,
  upload_malformed: 400,
  columns_missing: 422,
} satisfies Record<CatalogueRefusal, number>

/** A refusal of this module; the spec's text where it has one. */
export const refused = (
  code: CatalogueRefusal,
  message: string,
  more?: ConstructorParameters<typeof Refusal>[2],
) => new Refusal<CatalogueRefusal>(code, message, more)

export const itemNotFound = () => refused('item_not_found', 'Item not found')
