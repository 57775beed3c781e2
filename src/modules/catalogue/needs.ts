import type { Ports } from '#platform/ports'

/** What the catalogue is made with. */
export type CatalogueNeeds = Ports & {
  /** Which of these items were ever ordered, or are being paid for: they keep their names, and are not deleted. */
  itemsInUse: (ids: readonly number[]) => Promise<ReadonlySet<number>>
}
