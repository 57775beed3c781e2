import type { ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'

export type ConfirmQuestionProps = {
  title: string
  children: ReactNode
  /** A verb: "Yes, Send Reset", "Delete". */
  confirm: string
  cancel?: string
  danger?: boolean
  busy?: boolean
  busyLabel?: string
  onConfirm: () => void
  onClose: () => void
}

/** Content of `ConfirmDialog`. */
export const ConfirmQuestion = ({
  title,
  children,
  confirm,
  cancel = 'Cancel',
  danger,
  busy,
  busyLabel,
  onConfirm,
  onClose,
}: ConfirmQuestionProps) => (
  <Dialog
    open
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
