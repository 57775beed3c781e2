import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import type { Order } from '#contracts/ordering'
import { type CartDay, isSameDay } from '../../features/cart/cart'
import { paidDays, removePaid } from '../../features/cart/checkout/card-payment'
import { ordersQuery } from '../../features/orders/api'
import { isOff } from '../../features/orders/order-text'
import { paidQuery, referenceIn, transactionIn, verdictQuery } from '../../features/payment/api'
import { VerdictScreen } from '../../features/payment/verdict-screen'
import { refresh } from '../../lib/endpoint-query'
import { kwacha, shortDay } from '../../lib/format'
import { paths } from '../../lib/paths'
import { useUser } from '../../queries/session'
import { Button } from '../../ui/button'
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
  const as = role === 'teacher' ? 'teacher' : 'parent'
  if (verdict?.kind === 'declined') return <Declined />
  return (
    <VerdictScreen
      shown={verdict ?? { kind: 'checking' }}
      reference={reference}
      paid={
        isPaid
          ? {
              amount: <PaidAmount transactionId={transactionId} />,
              acts: <PaidActs days={days} as={as} />,
              meals: <PaidMeals days={days} as={as} />,
            }
          : null
      }
    />
  )
}

const PaidAmount = ({ transactionId }: { transactionId: string }) => {
  const attempt = useQuery(paidQuery(transactionId)).data
  return (
    <p className="money min-h-7 text-xl font-semibold">
      {attempt ? `${kwacha(attempt.paymentAmount)} paid` : null}
    </p>
  )
}

type PaidProps = { days: readonly CartDay[]; as: 'parent' | 'teacher' }

/** By child; only on the device that paid. */
const usePaidMeals = ({ days, as }: PaidProps): [string, Order[]][] => {
  const orders = useQuery({ ...ordersQuery(as), enabled: days.length > 0 }).data ?? []
  const isOf = (order: Order) => days.some((day) => isSameDay({ ...order, date: order.mealDate }, day))
  const meals = orders
    .filter((order) => !isOff(order) && order.paymentStatus === 'confirmed' && isOf(order))
    .toSorted((one, other) => one.mealDate.localeCompare(other.mealDate))
  return [...new Set(meals.map(({ student }) => student.name))].map((name) => [
    name,
    meals.filter(({ student }) => student.name === name),
  ])
}

const PaidMeals = (props: PaidProps) => (
  <div className="flex w-full flex-col gap-3 text-left text-sm empty:hidden">
    {usePaidMeals(props).map(([name, meals]) => (
      <section key={name} aria-label={name}>
        <h2 className="font-semibold wrap-anywhere">{name}</h2>
        <ul className="divide-y divide-line border-y border-line">
          {meals.map((order) => (
            <li key={order.id} className="flex gap-3 py-1.5">
              <span className="shrink-0 text-muted">{shortDay(order.mealDate)}</span>{' '}
              <span className="min-w-0 truncate">{order.menuItem.name}</span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)

const sharedText = (meals: readonly [string, Order[]][]): string =>
  meals
    .map(([name, orders]) =>
      [name, ...orders.map((order) => `${shortDay(order.mealDate)}: ${order.menuItem.name}`)].join('\n'),
    )
    .join('\n\n')

/** The phone's share sheet, and the receipts. */
const PaidActs = (props: PaidProps) => {
  const meals = usePaidMeals(props)
  const receipts = [
    ...new Set(meals.flatMap(([, orders]) => orders.flatMap((one) => one.receiptNumber ?? []))),
  ]
  const share = () =>
    // Closing the sheet is a refusal, too.
    void navigator.share({ title: 'School lunch', text: sharedText(meals) }).catch(() => undefined)
  return (
    <div className="flex min-h-11 gap-2 empty:hidden">
      {'share' in navigator && meals.length > 0 ? (
        <Button variant="secondary" className="flex-1" onClick={share}>
          Share
        </Button>
      ) : null}
      {receipts.map((number) => (
        <Link key={number} to={paths.receipt(number)} className="btn btn-secondary btn-md flex-1">
          Receipt<span className="sr-only"> {number}</span>
        </Link>
      ))}
    </div>
  )
}
