import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ClaimCodeLetter } from '#contracts/roll-import'
import { counted } from '../../lib/format'
import { notifyFailure, adminToast } from '../../lib/toast'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { ClaimLetters, type Addressed, makeLetters } from './claim-letters'

type NewLetterProps = { studentId: number; onClose: () => void }

export const NewLetter = ({ studentId, onClose }: NewLetterProps) => {
  const [codes, setCodes] = useState<readonly ClaimCodeLetter[] | null>(null)
  if (codes) return <ClaimLetters codes={codes} onClose={onClose} />
  return (
    <LettersQuestion
      count={1}
      to={{ ids: [studentId] }}
      onClose={onClose}
      onMade={(made) => (made.length > 0 ? setCodes(made) : onClose())}
    />
  )
}

/** Recipients and their number. */
export type Asked = { count: number; to: Addressed }

type LettersQuestionProps = Asked & {
  onMade: (codes: readonly ClaimCodeLetter[]) => void
  onClose: () => void
}

/** Confirms first: old codes become void. */
export const LettersQuestion = ({ count, to, onMade, onClose }: LettersQuestionProps) => {
  const making = useMutation(makeLetters)
  const together = 'ids' in to && to.together === true
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
      title={
        together
          ? `Make one letter for these ${count} children?`
          : `Make new letters for ${counted(count, 'child', 'children')}?`
      }
      confirm="Make Letters"
      busy={making.isPending}
      busyLabel="Making..."
      onConfirm={make}
      onClose={onClose}
    >
      {together
        ? 'Whoever has this letter gets all of these children on one account. Make it only for brothers and sisters. The codes that they had no longer work.'
        : 'Each family gets a new code for all of its children without an account, also for those who are not chosen here. The code it had no longer works. Where the roll has an email address, the new code is mailed too.'}
    </ConfirmDialog>
  )
}

const nobodyLeft = {
  title: 'No letters made',
  text: 'All of these children have an account by now, or have left.',
  kind: 'info',
} as const
