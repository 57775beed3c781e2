import { Suspense } from 'react'
import { VerdictScreen } from '../../features/payment/verdict-screen'
import { lazyPart } from '../../lib/lazy'

const PayAgain = lazyPart(() => import('./pay-again').then((m) => m.PayAgain))

/** The card was declined, and how the same cart can be paid for. */
export const Declined = () => (
  <VerdictScreen
    shown={{ kind: 'declined' }}
    reference={null}
    again={
      <Suspense>
        <PayAgain />
      </Suspense>
    }
  />
)
