import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { takePaid } from '../../features/cart/card-paying'
import { transactionIn, verdictQuery } from '../../features/payment/api'
import { VerdictScreen } from '../../features/payment/verdict-screen'
import { refresh } from '../../lib/endpoint-query'
import { PaymentFrame } from './payment-frame'

/** Where the payment page sends somebody who paid, or says so (administrator.md section 2.16). */
export const PaymentSuccess = ({ user }: { user: User }) => {
  const [query] = useSearchParams()
  const transactionId = transactionIn(query)
  return (
    <PaymentFrame>
      {transactionId ? (
        <Verified key={transactionId} user={user} transactionId={transactionId} />
      ) : (
        <VerdictScreen shown={{ kind: 'missing' }} />
      )}
    </PaymentFrame>
  )
}

const Verified = ({ user, transactionId }: { user: User; transactionId: string }) => {
  const client = useQueryClient()
  const verdict = useQuery(verdictQuery(transactionId)).data
  const isPaid = verdict?.kind === 'paid'
  useEffect(() => {
    if (!isPaid) return
    takePaid(user.id, transactionId)
    void refresh(client, 'ordering', 'cycles')
  }, [isPaid, user.id, transactionId, client])
  return <VerdictScreen shown={verdict ?? { kind: 'checking' }} />
}
