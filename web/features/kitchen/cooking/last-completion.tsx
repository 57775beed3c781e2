import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import { undoCompletion } from '../api'

export type Completion = { updated: number; batchIds: readonly string[] }

const undoableMs = 600_000

/** What was just marked complete, with the way back as long as the server takes it; `onOver` when it is gone. */
export const LastCompletion = ({ completion, onOver }: { completion: Completion; onOver: () => void }) => {
  const undo = useMutation(undoCompletion)
  useEffect(() => {
    const timer = setTimeout(onOver, undoableMs)
    return () => clearTimeout(timer)
  }, [onOver])
  const takeBack = async () => {
    const result = await notifyOutcome(undo.mutateAsync(completion.batchIds), {
      done: ({ restored, skipped }) => ({
        title: `${counted(restored, 'lunch is', 'lunches are')} open again`,
        text: skipped.length > 0 ? `${skipped.length} left as they are: ${skipped[0]?.message}` : undefined,
      }),
      failed: 'Failed to undo. Please try again.',
    })
    if (result) onOver()
  }
  return (
    <div className="print:hidden">
      <Notice>
        <output>{`${counted(completion.updated, 'lunch', 'lunches')} marked as complete.`}</output>
        <Button variant="secondary" size="sm" busy={undo.isPending} onClick={() => void takeBack()}>
          Undo
        </Button>
      </Notice>
    </div>
  )
}
