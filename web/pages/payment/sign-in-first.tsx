import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { transactionIn } from '../../features/payment/api'
import { ReturnScreen } from '../../features/payment/return-screen'
import { LoginForm } from '../../features/session/sign-in/login-form'
import { lazyPart } from '../../lib/lazy'
import { Card } from '../../ui/card'
import { PageTitle } from '../../ui/page-title'
import { PaymentFrame } from './payment-frame'

const ForgotDialog = lazyPart(() =>
  import('../../features/session/sign-in/forgot-dialog').then((m) => m.ForgotDialog),
)

const goesOn = {
  outcome: 'later',
  title: 'Your payment is being checked',
  text: 'It goes on by itself, also when you close this page. Please do not pay again. Sign in to see your orders.',
} as const
const missing = {
  outcome: 'bad',
  title: 'Missing transaction ID',
  text: 'This address does not say which payment it is about. Sign in to see your orders.',
} as const

/** The way back from the payment page for somebody whose session has ended, or who is on another device. */
export const SignInFirst = () => {
  const [query] = useSearchParams()
  const [forgot, setForgot] = useState(false)
  const { outcome, title, text } = transactionIn(query) ? goesOn : missing
  return (
    <PaymentFrame>
      <PageTitle>{title}</PageTitle>
      <ReturnScreen outcome={outcome} title={title}>
        <p className="text-balance text-muted">{text}</p>
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
