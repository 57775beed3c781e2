import type { ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'

type ConfirmDialogProps = {
  open: boolean
  title: string
  children: ReactNode
  /** The word on the button that does it, a verb: "Yes, Send Reset", "Delete". */
  confirm: string
  cancel?: string
  danger?: boolean
  busy?: boolean
  busyLabel?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks once more before something that cannot simply be undone. The safe button is first in the tab order. */
export const ConfirmDialog = ({
  open,
  title,
  children,
  confirm,
  cancel = 'Cancel',
  danger,
  busy,
  busyLabel,
  onConfirm,
  onClose,
}: ConfirmDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={title}
    description={children}
    actions={
      <>
        <Button variant="secondary" onClick={onClose} disabled={busy}>
          {cancel}
        </Button>
        <Button variant={danger ? 'danger' : 'primary'} onClick={onConfirm} busy={busy} busyLabel={busyLabel}>
          {confirm}
        </Button>
      </>
    }
  />
)
