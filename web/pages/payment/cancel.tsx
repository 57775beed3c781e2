import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { cancelledQuery, transactionIn, ownPath } from '../../features/payment/api'
import { LeaveActions, ReturnScreen, leaveAfterMs, useTimedLeave } from '../../features/payment/return-screen'
import { goesOn } from '../../features/payment/verdict-screen'
import { paths } from '../../lib/paths'
import { useCartHere } from '../../queries/cart-here'
import { PageTitle } from '../../ui/page-title'
import { again, Declined, PaymentFrame } from './payment-frame'

/** For a customer who turned back; shows a payment that succeeded anyway. */
export const PaymentCancel = () => {
  const [query] = useSearchParams()
  const transactionId = transactionIn(query)
  const { status, isDeclined } = useCancelled(transactionId)
  return (
    <PaymentFrame>
      {isDeclined ? (
        <Declined />
      ) : (
        <Cancelled transactionId={transactionId} returnUrl={query.get('returnUrl')} status={status} />
      )}
    </PaymentFrame>
  )
}

type CancelledProps = {
  transactionId: string | null
  returnUrl: string | null
  status: 'initiated' | 'verified' | 'failed' | undefined
}

const Cancelled = ({ transactionId, returnUrl, status }: CancelledProps) => {
  const next = ownPath(returnUrl, window.location.origin)
  const leave = useTimedLeave(next ?? paths.home, next ? leaveAfterMs.cancelled : null)
  const { go } = leave
  const hasCart = useCartHere()
  // Paid anyway: shows the result.
  useEffect(() => {
    if (transactionId && status === 'verified') go(paths.paymentResult(transactionId))
  })
  return (
    <>
      <PageTitle>Payment Cancelled</PageTitle>
      <ReturnScreen
        outcome="stopped"
        title="Payment Cancelled"
        actions={
          <>
            {again}
            <LeaveActions leave={leave} isSecond />
          </>
        }
      >
        <p className="text-balance text-muted">
          {hasCart
            ? 'Your payment has been cancelled. Your cart is still here.'
            : 'Your payment has been cancelled.'}
        </p>
        {status === 'initiated' ? <div className="text-left">{goesOn}</div> : null}
      </ReturnScreen>
    </>
  )
}

/** Reports the cancellation; answers the server's state. */
const useCancelled = (transactionId: string | null) => {
  const cancelled = useQuery({ ...cancelledQuery(transactionId ?? ''), enabled: transactionId !== null })
  return { status: cancelled.data?.transactionStatus, isDeclined: cancelled.data?.declined === true }
}
