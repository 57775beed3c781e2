import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Order } from '#contracts/ordering'
import { type CartDay, isSameDay } from '../../features/cart/cart'
import { paidDays, removePaid } from '../../features/cart/checkout/card-payment'
import { ordersQuery } from '../../features/orders/api'
import { isOff, mealDay, ReceiptLink } from '../../features/orders/order-text'
import { paidQuery, referenceIn, transactionIn, verdictQuery } from '../../features/payment/api'
import { VerdictScreen } from '../../features/payment/verdict-screen'
import { refresh } from '../../lib/endpoint-query'
import { counted, kwacha } from '../../lib/format'
import { useUser } from '../../queries/session'
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
  const { id: userId, role } = useUser()
  const client = useQueryClient()
  const verdict = useQuery(verdictQuery(transactionId)).data
  const isPaid = verdict?.kind === 'paid'
  const [days] = useState(() => paidDays(userId, transactionId) ?? [])
  useEffect(() => {
    if (!isPaid) return
    removePaid(userId, transactionId)
    void refresh(client, 'ordering', 'cycles')
  }, [isPaid, userId, transactionId, client])
  if (verdict?.kind === 'declined') return <Declined />
  return (
    <VerdictScreen
      shown={verdict ?? { kind: 'checking' }}
      reference={reference}
      paid={
        isPaid ? (
          <Paid transactionId={transactionId} days={days} as={role === 'teacher' ? 'teacher' : 'parent'} />
        ) : null
      }
    />
  )
}

type PaidProps = { transactionId: string; days: readonly CartDay[]; as: 'parent' | 'teacher' }

/** Amount, meals and receipt; the meals only on the device that paid. */
const Paid = ({ transactionId, days, as }: PaidProps) => {
  const attempt = useQuery(paidQuery(transactionId)).data
  const orders = useQuery({ ...ordersQuery(as), enabled: days.length > 0 }).data ?? []
  const isOf = (order: Order) => days.some((day) => isSameDay({ ...order, date: order.mealDate }, day))
  const meals = orders.filter((order) => !isOff(order) && order.paymentStatus === 'confirmed' && isOf(order))
  const withReceipt = meals.filter(
    ({ receiptNumber }, at) => meals.findIndex((meal) => meal.receiptNumber === receiptNumber) === at,
  )
  return (
    <div className="flex min-h-16 flex-col items-center gap-1 text-sm">
      {attempt ? (
        <p className="money text-xl font-semibold">{`${kwacha(attempt.paymentAmount)} paid`}</p>
      ) : null}
      {meals.length > 0 ? (
        <ul aria-label={counted(meals.length, 'meal')}>
          {meals.map((order) => (
            <li key={order.id}>{`${order.menuItem.name} for ${order.student.name}, ${mealDay(order)}`}</li>
          ))}
        </ul>
      ) : null}
      {withReceipt.map((order) => (
        <ReceiptLink key={order.id} order={order} />
      ))}
    </div>
  )
}
