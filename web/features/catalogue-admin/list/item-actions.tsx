import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { MenuItem } from '#contracts/catalogue'
import type { ItemSort } from '#contracts/menu-items'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { paths } from '../../../lib/paths'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Icon } from '../../../ui/icon'
import { IconButton } from '../../../ui/icon-button'
import { archive, removeItem } from '../api'
import type { SortProps } from '../../../ui/sort-head'

type ItemActionsProps = Pick<ItemListing, 'onPreview' | 'onSoldOut' | 'onRemove' | 'onUnarchive'> & {
  item: MenuItem
  hasOrders: boolean | undefined
}

/** Preview, edit, sold out on a date, and the one way this item can leave: deleted without orders, archived with them. */
export const ItemActions = ({ item, onPreview, onSoldOut, ...leaving }: ItemActionsProps) => (
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
    {item.isArchived ? null : (
      <IconButton icon="calendar" label={`Sold out dates of ${item.name}`} onClick={() => onSoldOut(item)} />
    )}
    <LeavingAction item={item} {...leaving} />
  </div>
)

type LeavingActionProps = Omit<ItemActionsProps, 'onPreview' | 'onSoldOut'>

const LeavingAction = ({ item, hasOrders, onRemove, onUnarchive }: LeavingActionProps) => {
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
export type ItemListing = SortProps<ItemSort> & {
  items: MenuItem[]
  /** By id; undefined until the server has said. */
  hasOrders: Record<string, boolean> | undefined
  chosen: number[]
  onToggle: (id: number) => void
  onPreview: (item: MenuItem) => void
  onSoldOut: (item: MenuItem) => void
  onAvailable: (item: MenuItem, isAvailable: boolean) => void
  onRemove: (asking: Asking) => void
  onUnarchive: (item: MenuItem) => void
}

/** An item about to leave the menu: for good when it has no orders, else into the archive. */
export type Asking = { act: 'delete' | 'archive'; item: MenuItem }

type ItemConfirmProps = { asking: Asking | null; onClose: () => void }

/** Asks before an item leaves the menu and says what that means. */
export const ItemConfirm = ({ asking, onClose }: ItemConfirmProps) => {
  const removing = useMutation(removeItem)
  const archiving = useMutation(archive)
  if (!asking) return null
  const { act, item } = asking
  const params = { id: item.id }
  const words =
    act === 'delete'
      ? { done: 'Menu item deleted successfully', failed: 'Failed to delete menu item' }
      : { done: 'Menu item archived successfully', failed: 'Failed to archive menu item' }
  const confirm = async () => {
    const doing =
      act === 'delete'
        ? removing.mutateAsync({ params })
        : archiving.mutateAsync({ params, body: { isArchived: true } })
    await notifyOutcome<unknown>(doing, words)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger={act === 'delete'}
      title={act === 'delete' ? 'Delete this menu item?' : 'Archive this menu item?'}
      confirm={act === 'delete' ? 'Delete' : 'Archive'}
      busy={removing.isPending || archiving.isPending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {act === 'delete'
        ? `“${item.name}” is removed for good and cannot be brought back. It has no orders, so nobody’s lunch changes.`
        : `“${item.name}” leaves the menu and nobody can order it any more. Orders already placed stay and are cooked. You can unarchive it at any time.`}
    </ConfirmDialog>
  )
}
