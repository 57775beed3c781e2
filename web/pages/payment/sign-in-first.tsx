import { Suspense, useState } from 'react'
import { ReturnScreen } from '../../features/payment/return-screen'
import { LoginForm } from '../../features/session/login-form'
import { lazyPart } from '../../lib/lazy'
import { Card } from '../../ui/card'
import { PageTitle } from '../../ui/page-title'
import { PaymentFrame } from './payment-frame'

const ForgotDialog = lazyPart(() =>
  import('../../features/session/forgot-dialog').then((m) => m.ForgotDialog),
)

/** The way back from the payment page for somebody whose session has ended, or who is on another device. */
export const SignInFirst = () => {
  const [forgot, setForgot] = useState(false)
  return (
    <PaymentFrame>
      <PageTitle>Your payment is being checked</PageTitle>
      <ReturnScreen look="later" title="Your payment is being checked">
        <p className="text-balance text-muted">
          This goes on by itself, whether you stay or not. Please do not pay again. Sign in to see your
          orders.
        </p>
      </ReturnScreen>
      <Card className="w-full max-w-form p-5 sm:p-8">
        <h2 className="mb-5 font-display text-xl font-semibold">Login</h2>
        <LoginForm onForgot={() => setForgot(true)} />
      </Card>
      {forgot ? (
        <Suspense>
          <ForgotDialog open onClose={() => setForgot(false)} />
        </Suspense>
      ) : null}
    </PaymentFrame>
  )
}
