import { useMutation } from '@tanstack/react-query'
import type { ClaimCodeLetter } from '#contracts/roll-import'
import { counted } from '../../lib/format'
import { notifyFailure } from '../../lib/notify-outcome'
import { adminToast } from '../../lib/toast'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { type Addressed, makeLetters } from './api'

/** Whom letters are wanted for, and how many children those are. */
export type Asked = { count: number; to: Addressed }

type LettersQuestionProps = Asked & {
  /** Told of none where no family got one. */
  onMade: (codes: readonly ClaimCodeLetter[]) => void
  onClose: () => void
}

/** Asks before new codes are made: nothing gives the old ones back. */
export const LettersQuestion = ({ count, to, onMade, onClose }: LettersQuestionProps) => {
  const making = useMutation(makeLetters)
  const make = () =>
    making.mutate(to, {
      onSuccess: ({ codes }) => {
        onMade(codes)
        if (codes.length === 0) adminToast(nobodyLeft)
      },
      onError: (error) => notifyFailure(error, 'Failed to make the letters'),
    })
  return (
    <ConfirmDialog
      open
      title={`Make new letters for ${counted(count, 'child', 'children')}?`}
      confirm="Make Letters"
      busy={making.isPending}
      busyLabel="Making..."
      onConfirm={make}
      onClose={onClose}
    >
      Each family gets a new code for all of its children without an account, also for those who are not
      chosen here. The code it had no longer works. Where the roll has an email address, the new code is
      mailed too.
    </ConfirmDialog>
  )
}

const nobodyLeft = {
  title: 'No letters made',
  text: 'All of these children have an account by now, or have left.',
  kind: 'info',
} as const
