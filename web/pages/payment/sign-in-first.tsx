import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { transactionIn } from '../../features/payment/api'
import { ReturnScreen } from '../../features/payment/return-screen'
import { PageTitle } from '../../ui/page-title'
import { EntryCard, type EntryMode } from '../portal/entry-card'
import { PaymentFrame } from './payment-frame'

const goesOn = {
  outcome: 'later',
  title: 'Your payment is being checked',
  text: 'It continues even if you close this page. Please do not pay again. Log in to see your orders.',
} as const
const missing = {
  outcome: 'bad',
  title: 'Missing transaction ID',
  text: 'This address does not say which payment it is about. Log in to see your orders.',
} as const

/** The session ended, or another device. */
export const SignInFirst = () => {
  const [query] = useSearchParams()
  const [mode, setMode] = useState<EntryMode>('login')
  const { outcome, title, text } = transactionIn(query) ? goesOn : missing
  return (
    <PaymentFrame>
      <PageTitle>{title}</PageTitle>
      <ReturnScreen outcome={outcome} title={title}>
        <p className="text-balance text-muted">{text}</p>
      </ReturnScreen>
      <EntryCard mode={mode} onMode={setMode} loginTitle="Login" />
    </PaymentFrame>
  )
}
