import { useState } from 'react'
import type { FailedOrder } from '#contracts/payments-console'
import { type Judgement, JudgementDialog } from './judgement-dialog'
import { RecoveryDetails } from './details/recovery-details'
import { useRecoveryActs } from './use-recovery-acts'

type FailedAttemptProps = { order: FailedOrder; onHistory: () => void; onClose: () => void }

/** The details of one attempt, or the question before a judgement about it. */
export const FailedAttempt = ({ order, onHistory, onClose }: FailedAttemptProps) => {
  const [judging, setJudging] = useState<Judgement | null>(null)
  const acts = useRecoveryActs(order)
  if (judging)
    return (
      <JudgementDialog
        key={judging}
        order={order}
        judgement={judging}
        onJudge={async (reason) => {
          const done = await acts.judge(judging, reason)
          if (done) onClose()
          return done
        }}
        onClose={() => setJudging(null)}
      />
    )
  return (
    <RecoveryDetails
      order={order}
      onRetry={acts.retryWith}
      retrying={acts.retrying}
      onAccept={() => setJudging('accept')}
      onWaive={() => setJudging('waive')}
      onHistory={onHistory}
      onClose={onClose}
    />
  )
}
