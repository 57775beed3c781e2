import { useQuery } from '@tanstack/react-query'
import { type OpenPayment, openPayments } from '#contracts/payments'
import { counted, dayAndMonth, dayName, kwacha, payByLabel } from '../../lib/format'
import { Card, CardHeading } from '../../ui/card'
import { Notice } from '../../ui/notice'
import type { ReactNode } from 'react'
import { classes } from '../../lib/classes'
import { dateAndTime } from '../../lib/school-moment'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { endpointQuery } from '../../lib/endpoint-query'

/** A banner, or with meals a group above Order History. Empty while unknown. */
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

// As high as the button beside the reference, to align values.
const firstLine = 'flex min-h-9 items-center'

/** Amount, reference, account, deadline. */
export const WayToPay = ({ payment }: { payment: OpenPayment }) => (
  <div className="flex w-full flex-col gap-2">
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      <Fact name="Amount">
        <span className={classes('money text-lg', firstLine)}>{kwacha(payment.amount)}</span>
      </Fact>
      <Fact name="Reference">
        <span className={classes('flex-wrap gap-x-3', firstLine)}>
          <span className="money text-lg">{payment.reference}</span>
          <Button
            variant="secondary"
            size="sm"
            icon="copy"
            aria-label={`Copy the reference ${payment.reference}`}
            onClick={() => void copy(payment.reference)}
          >
            Copy
          </Button>
        </span>
      </Fact>
      {accountsOf(payment).map(({ way, number, more }) => (
        <Fact key={way} name={way}>
          <span className={classes('text-lg wrap-anywhere tabular-nums', firstLine)}>{number}</span>
          {more ? <span className="block text-sm font-normal">{more}</span> : null}
        </Fact>
      ))}
    </dl>
    <p className="text-sm">
      {payment.lapsesAt === null
        ? 'Give the reference with your payment. This stays here until we have seen it.'
        : `Give the reference with your payment. To be paid until ${dateAndTime(payment.lapsesAt)}.`}
    </p>
  </div>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm">{name}</dt>
    <dd className="font-semibold">{children}</dd>
  </div>
)

/** The accounts to pay to, each with its number and what else identifies it. */
const accountsOf = ({ instructions: { airtelMoney, mtnMoney, bankTransfer } }: OpenPayment) => {
  const wallets = [
    { way: payByLabel('airtel'), account: airtelMoney },
    { way: payByLabel('mtn'), account: mtnMoney },
  ].flatMap(({ way, account }) => (account ? [{ way, number: account.number, more: account.name }] : []))
  if (!bankTransfer) return wallets
  const { accountNumber, accountName, bankName, branchName, swiftCode } = bankTransfer
  const more = [accountName, bankName, branchName, swiftCode].filter((text) => text !== '').join(', ')
  return [...wallets, { way: payByLabel('bank'), number: accountNumber, more }]
}

const copy = async (reference: string) => {
  try {
    await navigator.clipboard.writeText(reference)
    toast({ title: 'Copied', text: `The reference ${reference} can be pasted now.` })
  } catch {
    toast({ title: 'Not copied', text: `Please write down the reference ${reference}.`, kind: 'error' })
  }
}

/** Refetched with the orders. */
export const openPaymentsQuery = {
  ...endpointQuery('ordering', openPayments, {}),
  staleTime: 30_000,
  select: ({ data }: { data: OpenPayment[] }) => data,
}
