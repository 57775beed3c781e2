import { ConfirmQuestion } from '../../ui/confirm-question'
import { waitingText } from './device/marks'

type SignOutQuestionProps = { waiting: number; onStay: () => void; onLeave: () => void }

/** Loaded whole with the hatch: it is asked without a connection too. */
export const SignOutQuestion = ({ waiting, onStay, onLeave }: SignOutQuestionProps) => (
  <ConfirmQuestion
    title="Sign out?"
    confirm="Sign out and keep them"
    cancel="Stay"
    onConfirm={onLeave}
    onClose={onStay}
  >
    {`${waitingText(waiting)}. ${waiting === 1 ? 'It stays on this device and is' : 'They stay on this device and are'} sent when you sign in here again and open the hatch.`}
  </ConfirmQuestion>
)
