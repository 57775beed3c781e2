import { useQuery } from '@tanstack/react-query'
import type { OpenPayment } from '#contracts/open-payments'
import { counted, dayAndMonth, dayName } from '../../lib/format'
import { Card, CardHeading } from '../../ui/card'
import { Notice } from '../../ui/notice'
import { openPaymentsQuery } from './api'
import { WayToPay } from './way-to-pay'

/**
 * What was ordered and has yet to be paid for: a banner, or with its meals a group at the head of Order History. Nothing
 * where there is nothing, or nobody knows.
 */
export const OpenPayments = ({ withMeals }: { withMeals: boolean }) => {
  const { data: payments = [] } = useQuery(openPaymentsQuery)
  if (payments.length === 0) return null
  return withMeals ? <Group payments={payments} /> : <Banner payments={payments} />
}

type PaymentsProps = { payments: readonly OpenPayment[] }

const Banner = ({ payments }: PaymentsProps) => (
  <section aria-label="Still to be paid" className="mb-4 flex flex-col gap-3">
    {payments.map((payment) => (
      <Notice
        key={payment.reference}
        tone="warning"
        title={`${counted(payment.orders.length, 'meal')} still to be paid`}
      >
        <WayToPay payment={payment} />
      </Notice>
    ))}
  </section>
)

const Group = ({ payments }: PaymentsProps) => (
  <Card className="mb-5">
    <CardHeading title="Still to be paid" hint="Until we have seen your payment" />
    <ul className="mt-3 divide-y divide-line border-t border-line">
      {payments.map((payment) => (
        <li key={payment.reference} className="flex flex-col gap-3 px-4 py-4 sm:px-6">
          <WayToPay payment={payment} />
          <ul className="text-sm text-muted">
            {payment.orders.map(({ id, menuItem, student, dayOfWeek, mealDate }) => (
              <li key={id}>
                {`${menuItem.name} for ${student.name}, ${dayName(dayOfWeek)}, ${dayAndMonth(mealDate)}`}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </Card>
)
