import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { cancelledQuery, transactionIn } from '../../features/payment/api'
import { ownPath } from '../../features/payment/own-path'
import { ReturnScreen } from '../../features/payment/return-screen'
import { leaveAfterMs, useTimedLeave } from '../../features/payment/use-timed-leave'
import { goesOn } from '../../features/payment/verdict-face'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { PaymentFrame } from './payment-frame'

/** Where the payment page sends somebody who turned back; who had paid before all the same is shown that. */
export const PaymentCancel = () => {
  const [query] = useSearchParams()
  const transactionId = transactionIn(query)
  const next = ownPath(query.get('returnUrl'), window.location.origin)
  const { leaving, stay, go } = useTimedLeave(next ?? paths.home, next ? leaveAfterMs.cancelled : null)
  const home = useRef<HTMLButtonElement>(null)
  const stayHere = () => {
    stay()
    home.current?.focus()
  }
  const status = useToldServer(transactionId, go)
  return (
    <PaymentFrame>
      <PageTitle>Payment Cancelled</PageTitle>
      <ReturnScreen
        outcome="stopped"
        title="Payment Cancelled"
        actions={
          <>
            <Button ref={home} onClick={() => go(paths.home)}>
              Return to Home
            </Button>
            <Button variant="secondary" icon="cart" onClick={() => go(paths.tab('cart'))}>
              Back to the cart
            </Button>
            {leaving ? (
              <Button variant="ghost" className="-my-2" onClick={stayHere}>
                Stay on this page
              </Button>
            ) : null}
          </>
        }
      >
        <p className="text-balance text-muted">Your payment has been cancelled. Your cart is still here.</p>
        {status === 'initiated' ? <div className="text-left">{goesOn}</div> : null}
      </ReturnScreen>
    </PaymentFrame>
  )
}

/** Tells the server that the customer turned back; what it then knows. One that is paid leads to what became of it. */
const useToldServer = (transactionId: string | null, go: (to: string) => void) => {
  const told = useQuery({ ...cancelledQuery(transactionId ?? ''), enabled: transactionId !== null })
  const status = told.data?.transactionStatus
  useEffect(() => {
    if (transactionId && status === 'verified') go(paths.paymentResult(transactionId))
  })
  return status
}
