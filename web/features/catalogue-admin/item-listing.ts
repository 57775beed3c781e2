import type { MenuItem } from '#contracts/catalogue'
import type { Asking } from './item-confirm'
import type { ItemSorting } from './items-asked'

/** What a table row or a card needs to draw an item and to act on it. */
export type ItemListing = {
  items: MenuItem[]
  /** By id; undefined until the server has said. */
  hasOrders: Record<string, boolean> | undefined
  chosen: number[]
  sorting: ItemSorting
  onSort: (sorting: ItemSorting) => void
  onToggle: (id: number) => void
  onPreview: (item: MenuItem) => void
  onAvailable: (item: MenuItem, isAvailable: boolean) => void
  onRemove: (asking: Asking) => void
  onUnarchive: (item: MenuItem) => void
}
