import { ConfirmDialog } from '../../ui/confirm-dialog'

type DeleteQuestionProps = { open: boolean; name: string; onDelete: () => void; onKeep: () => void }

/** Asks before a child leaves the account, and says what that means. */
export const DeleteQuestion = ({ open, name, onDelete, onKeep }: DeleteQuestionProps) => (
  <ConfirmDialog
    open={open}
    title={`Delete ${name}?`}
    confirm="Delete"
    danger
    onConfirm={onDelete}
    onClose={onKeep}
  >
    {name} leaves your account, and you can no longer order for them. This cannot be undone. A student who has
    orders cannot be deleted.
  </ConfirmDialog>
)
