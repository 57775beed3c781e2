import type { Ports } from '#platform/ports'

export type CatalogueNeeds = Ports & {
  itemsInUse: (ids: readonly number[]) => Promise<ReadonlySet<number>>
}
