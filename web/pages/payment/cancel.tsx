import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { cancelledQuery, transactionIn } from '../../features/payment/api'
import { ownPath } from '../../features/payment/own-path'
import { ReturnScreen } from '../../features/payment/return-screen'
import { leaveAfterMs, useTimedLeave } from '../../features/payment/use-timed-leave'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { PaymentFrame } from './payment-frame'

/** Where the payment page sends somebody who turned back. */
export const PaymentCancel = () => {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const transactionId = transactionIn(query)
  const next = ownPath(query.get('returnUrl'), window.location.origin)
  const onwards = useTimedLeave(next ?? paths.home, next ? leaveAfterMs.cancelled : null)
  const go = (to: string) => void navigate(to, { replace: true })
  return (
    <PaymentFrame>
      <PageTitle>Payment Cancelled</PageTitle>
      {transactionId ? <PaidAfterAll transactionId={transactionId} /> : null}
      <ReturnScreen
        look="stopped"
        title="Payment Cancelled"
        actions={
          <>
            <Button onClick={() => go(paths.home)}>Return to Home</Button>
            {onwards.leaving ? (
              <Button variant="ghost" onClick={onwards.stay}>
                Stay on this page
              </Button>
            ) : (
              <Button variant="secondary" icon="cart" onClick={() => go(paths.tab('cart'))}>
                Back to the cart
              </Button>
            )}
          </>
        }
      >
        <p className="text-balance text-muted">Your payment has been cancelled. Your cart is still here.</p>
      </ReturnScreen>
    </PaymentFrame>
  )
}

/** Tells the server that the customer turned back; who had paid before all the same is shown that. */
const PaidAfterAll = ({ transactionId }: { transactionId: string }) => {
  const navigate = useNavigate()
  const isPaid = useQuery(cancelledQuery(transactionId)).data?.transactionStatus === 'verified'
  useEffect(() => {
    if (isPaid) void navigate(paths.paymentResult(transactionId), { replace: true })
  }, [isPaid, transactionId, navigate])
  return null
}
