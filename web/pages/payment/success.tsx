import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { removePaid } from '../../features/cart/checkout/card-payment'
import { referenceIn, transactionIn, verdictQuery } from '../../features/payment/api'
import { VerdictScreen } from '../../features/payment/verdict-screen'
import { useUser } from '../../queries/session'
import { refresh } from '../../lib/endpoint-query'
import { Declined, PaymentFrame } from './payment-frame'

/** administrator.md section 2.16. */
export const PaymentSuccess = () => {
  const [query] = useSearchParams()
  const transactionId = transactionIn(query)
  return (
    <PaymentFrame>
      {transactionId ? (
        <Verified key={transactionId} transactionId={transactionId} reference={referenceIn(query)} />
      ) : (
        <VerdictScreen shown={{ kind: 'missing' }} reference={null} />
      )}
    </PaymentFrame>
  )
}

type VerifiedProps = { transactionId: string; reference: string | null }

const Verified = ({ transactionId, reference }: VerifiedProps) => {
  const { id: userId } = useUser()
  const client = useQueryClient()
  const verdict = useQuery(verdictQuery(transactionId)).data
  const isPaid = verdict?.kind === 'paid'
  useEffect(() => {
    if (!isPaid) return
    removePaid(userId, transactionId)
    void refresh(client, 'ordering', 'cycles')
  }, [isPaid, userId, transactionId, client])
  if (verdict?.kind === 'declined') return <Declined />
  return <VerdictScreen shown={verdict ?? { kind: 'checking' }} reference={reference} />
}
