import { useMutation } from '@tanstack/react-query'
import type { MenuItem } from '#contracts/catalogue'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { archive, removeItem } from '../api'

/** An item about to leave the menu: for good when it has no orders, else into the archive. */
export type Asking = { act: 'delete' | 'archive'; item: MenuItem }

type ItemConfirmProps = { asking: Asking | null; onClose: () => void }

/** Asks before an item leaves the menu and says what that means. */
export const ItemConfirm = ({ asking, onClose }: ItemConfirmProps) => {
  const removing = useMutation(removeItem)
  const archiving = useMutation(archive)
  if (!asking) return null
  const { act, item } = asking
  const words =
    act === 'delete'
      ? { done: 'Menu item deleted successfully', failed: 'Failed to delete menu item' }
      : { done: 'Menu item archived successfully', failed: 'Failed to archive menu item' }
  const confirm = async () => {
    const doing =
      act === 'delete'
        ? removing.mutateAsync(item.id)
        : archiving.mutateAsync({ id: item.id, isArchived: true })
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
