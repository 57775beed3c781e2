import { useState } from 'react'
import type { FailedOrder } from '#contracts/payments-console'
import { type Judgement, JudgementDialog } from './judgement-dialog'
import { RecoveryDetails } from './details/recovery-details'
import { useRetry } from './use-retry'

type FailedAttemptProps = { order: FailedOrder; onHistory: () => void; onClose: () => void }

/** The details of one attempt, or the question before a judgement about it. */
export const FailedAttempt = ({ order, onHistory, onClose }: FailedAttemptProps) => {
  const [judging, setJudging] = useState<Judgement | null>(null)
  const { retryWith, retrying } = useRetry(order)
  if (judging)
    return (
      <JudgementDialog
        key={judging}
        order={order}
        judgement={judging}
        onJudged={onClose}
        onClose={() => setJudging(null)}
      />
    )
  return (
    <RecoveryDetails
      order={order}
      onRetry={retryWith}
      retrying={retrying}
      onAccept={() => setJudging('accept')}
      onWaive={() => setJudging('waive')}
      onHistory={onHistory}
      onClose={onClose}
    />
  )
}
