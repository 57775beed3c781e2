import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { PageTitle } from '../../ui/page-title'

const redirectAfterMs = 1500

/** Only a path of our own: a link made by others must not send a parent elsewhere. */
const ownPath = (asked: string | null) =>
  asked &&
  new URL(asked, window.location.origin).origin === window.location.origin &&
  /^\/(?![/\\])/.test(asked)
    ? asked
    : null

/** Where the payment page sends somebody who turned back. */
export const PaymentCancel = () => {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const next = ownPath(query.get('returnUrl'))
  useEffect(() => {
    if (!next) return undefined
    const timer = setTimeout(() => void navigate(next, { replace: true }), redirectAfterMs)
    return () => clearTimeout(timer)
  }, [next, navigate])
  return (
    <main className="grid min-h-dvh place-items-center">
      <PageTitle>Payment Cancelled</PageTitle>
      <EmptyState
        icon="wallet"
        title="Payment Cancelled"
        page
        action={<Button onClick={() => void navigate(paths.home, { replace: true })}>Return to Home</Button>}
      >
        Your payment has been cancelled. Your cart is still here.
      </EmptyState>
    </main>
  )
}
