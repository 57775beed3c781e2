import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'

type NameLockDialogProps = {
  open: boolean
  name: string
  busy: boolean
  onKeep: () => void
  onDuplicate: () => void
}

/** Offers what can be done instead of renaming an item that has orders. */
export const NameLockDialog = ({ open, name, busy, onKeep, onDuplicate }: NameLockDialogProps) => (
  <Dialog
    open={open}
    onClose={onKeep}
    title="This name is locked"
    description={`“${name}” has orders, and families and the kitchen know them by this name, so it cannot be changed here.`}
    actions={
      <>
        <Button variant="secondary" onClick={onKeep} disabled={busy}>
          Keep Current Name
        </Button>
        <Button icon="copy" onClick={onDuplicate} busy={busy}>
          Duplicate Item
        </Button>
      </>
    }
  >
    <p>
      <strong>Recommended: duplicate the item.</strong> You get a copy with the same fields and no orders,
      opened for editing, and can give it any name. Changes not yet saved in this form are not copied.
    </p>
  </Dialog>
)

/** Whether the name of an item may change: unlocked without orders, unknown until the server has said. */
export type NameLock = 'open' | 'locked' | 'unknown'

/** The lock of a form: a new item (`hasOrders` null by nature) is open, a saved one as the server says. */
export const nameLockOf = (item: { id: number } | null, hasOrders: boolean | undefined): NameLock => {
  if (item === null) return 'open'
  if (hasOrders === undefined) return 'unknown'
  return hasOrders ? 'locked' : 'open'
}

/** What a change of the name leads to: it is taken, or the dialog opens and the saved name stays. */
export const nameChange = (lock: NameLock, savedName: string, typed: string): 'take' | 'ask' =>
  lock === 'locked' && typed !== savedName ? 'ask' : 'take'
