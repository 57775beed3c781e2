import { ConfirmDialog } from '../../ui/confirm-dialog'
import { waitingText } from './device/marks'

type SignOutQuestionProps = { waiting: number; onStay: () => void; onLeave: () => void }

export const SignOutQuestion = ({ waiting, onStay, onLeave }: SignOutQuestionProps) => (
  <ConfirmDialog
    open
    title="Sign out?"
    confirm="Sign out and keep them"
    cancel="Stay"
    onConfirm={onLeave}
    onClose={onStay}
  >
    {`${waitingText(waiting)}. They stay on this device and are sent when you sign in here again and open the hatch.`}
  </ConfirmDialog>
)
