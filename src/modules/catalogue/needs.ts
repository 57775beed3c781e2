import type { Ports } from '#platform/ports'

export type CatalogueNeeds = Ports & {
  /** Items ordered or in payment keep their names and cannot be deleted. */
  itemsInUse: (ids: readonly number[]) => Promise<ReadonlySet<number>>
}
