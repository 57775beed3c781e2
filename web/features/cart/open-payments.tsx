import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { OpenPayment } from '#contracts/payments'
import { counted, kwacha, shortDay, kwachaSum } from '../../lib/format'
import { lazyComponent } from '../../lib/lazy'
import { schoolClock, schoolDate } from '../../lib/school-moment'
import { openPaymentsQuery } from '../../queries/ordering'
import { BannerButton } from '../../ui/notice'

const HowToPay = lazyComponent(() => import('./how-to-pay').then((m) => m.HowToPay))

/** One line with what is to be paid; a press says how. Nothing while unknown. */
export const OpenPayments = () => {
  const { data: payments = [] } = useQuery(openPaymentsQuery)
  const [open, setOpen] = useState(false)
  const isShown = open && payments.length > 0
  return payments.length === 0 ? null : (
    <section aria-label="Still to be paid">
      <BannerButton
        icon="wallet"
        title={`${kwacha(kwachaSum(payments.map(({ amount }) => amount)))} to pay`}
        text={untilText(payments)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Suspense>{isShown ? <HowToPay payments={payments} onClose={() => setOpen(false)} /> : null}</Suspense>
    </section>
  )
}

/** The first deadline; without one, the number of meals. */
const untilText = (payments: readonly OpenPayment[]): string => {
  const [first] = payments.flatMap(({ lapsesAt }) => lapsesAt ?? []).toSorted()
  if (first) return `until ${shortDay(schoolDate(first))}, ${schoolClock(first)}`
  return `for ${counted(
    payments.reduce((sum, { orders }) => sum + orders.length, 0),
    'meal',
  )}`
}
