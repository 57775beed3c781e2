import { Link } from 'react-router-dom'
import type { MenuItem } from '#contracts/catalogue'
import { paths } from '../../../lib/paths'
import { Icon } from '../../../ui/icon'
import { IconButton } from '../../../ui/icon-button'
import type { Asking } from './item-confirm'
import type { ItemSorting } from './item-filters'

type ItemActionsProps = Pick<ItemListing, 'onPreview' | 'onRemove' | 'onUnarchive'> & {
  item: MenuItem
  hasOrders: boolean | undefined
}

/** Preview, edit, and the one way this item can leave: deleted without orders, archived with them. */
export const ItemActions = ({ item, hasOrders, onPreview, onRemove, onUnarchive }: ItemActionsProps) => (
  <div className="inline-flex">
    <IconButton icon="eye" label={`Preview ${item.name}`} onClick={() => onPreview(item)} />
    <Link
      to={paths.editMenuItem(item.id)}
      aria-label={`Edit ${item.name}`}
      title={`Edit ${item.name}`}
      className="tap inline-grid place-items-center rounded-md text-muted transition-colors hover:bg-sand-100 hover:text-ink"
    >
      <Icon name="edit" />
    </Link>
    <LeavingAction item={item} hasOrders={hasOrders} onRemove={onRemove} onUnarchive={onUnarchive} />
  </div>
)

const LeavingAction = ({ item, hasOrders, onRemove, onUnarchive }: Omit<ItemActionsProps, 'onPreview'>) => {
  if (hasOrders === undefined) return <IconButton icon="archive" label="Checking for orders" disabled />
  if (!hasOrders)
    return (
      <IconButton
        icon="trash"
        variant="danger"
        label={`Delete ${item.name}`}
        onClick={() => onRemove({ act: 'delete', item })}
      />
    )
  if (item.isArchived)
    return <IconButton icon="undo" label={`Unarchive ${item.name}`} onClick={() => onUnarchive(item)} />
  return (
    <IconButton
      icon="archive"
      label={`Archive ${item.name}`}
      onClick={() => onRemove({ act: 'archive', item })}
    />
  )
}

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
