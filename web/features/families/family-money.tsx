import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { FamilyPage, FamilyPayment } from '#contracts/find'
import type { User } from '#contracts/identity'
import { kwacha, paidFromText } from '../../lib/format'
import { consolePaths, paths } from '../../lib/paths'
import { dateAndTime } from '../../lib/school-moment'
import { Card, CardBody, CardHeading } from '../../ui/card'

type Money = FamilyPage['money']

/** Acts of other features; absent without access. */
export type MoneyActs = {
  confirm?: (payment: FamilyPayment) => ReactNode
  credit?: (parent: FamilyPage['parent']) => ReactNode
}

type FamilyMoneyProps = { page: FamilyPage; user: User } & MoneyActs

export const FamilyMoney = ({ page, user, confirm, credit: creditOf }: FamilyMoneyProps) => {
  const { parent, money, credit } = page
  const seesAccounts = accountFeatures.some((feature) => user.allowedFeatures.includes(feature))
  return (
    <Card>
      <CardHeading
        title="Money"
        actions={
          seesAccounts ? (
            <Link to={paths.accountOf(parent.id)} className="text-sm font-semibold text-brand-700 underline">
              Statement of account
            </Link>
          ) : null
        }
      />
      <CardBody className="flex flex-col gap-5">
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          <Sum term="Not paid yet" amount={money.unpaid} />
          <Sum term="Owed back" amount={money.owedBack} />
          {creditOf ? null : <Sum term="Credit" amount={credit.balance} />}
          {creditOf ? null : <Sum term="Credit in use" amount={credit.held} />}
        </dl>
        {money.payments.length === 0 ? null : (
          <Payments payments={money.payments} receipts={seesAccounts} confirm={confirm} />
        )}
        {money.refunds.length === 0 ? null : (
          <Refunds refunds={money.refunds} pays={user.allowedFeatures.includes('refunds')} />
        )}
        {creditOf?.(parent)}
      </CardBody>
    </Card>
  )
}

/** Features with access to accounts. */
const accountFeatures = ['refunds', 'live_orders', 'pending_payments'] as const

const Sum = ({ term, amount }: { term: string; amount: number }) => (
  <div>
    <dt className="text-sm text-muted">{term}</dt>
    <dd className="money text-lg font-semibold">{kwacha(amount)}</dd>
  </div>
)

type PaymentsProps = Pick<Money, 'payments'> & { receipts: boolean } & Pick<MoneyActs, 'confirm'>

const Payments = ({ payments, receipts, confirm }: PaymentsProps) => (
  <section aria-label="Payments">
    <h3 className="mb-1 font-semibold">Payments</h3>
    <ul className="divide-y divide-line rounded-md border border-line">
      {payments.map((payment) => (
        <li key={payment.id} className="px-3 py-2.5">
          <p className="break-words">{payment.inWords}</p>
          <p className="text-sm break-words text-muted">
            {[
              payment.reference,
              `asked for ${kwacha(payment.amount)}`,
              payment.receivedAmount === null ? null : `received ${kwacha(payment.receivedAmount)}`,
              paidFromText(payment.paidFrom),
              dateAndTime(payment.at),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
            {payment.unpaidOrders.length === 0 ? null : confirm?.(payment)}
            {receipts
              ? payment.receipts.map((number) => (
                  <Link key={number} to={paths.receipt(number)} className={actLink}>
                    {`Receipt ${number}`}
                  </Link>
                ))
              : null}
          </div>
        </li>
      ))}
    </ul>
  </section>
)

const actLink = 'inline-flex min-h-11 items-center text-sm font-semibold text-brand-700 underline'

const Refunds = ({ refunds, pays }: Pick<Money, 'refunds'> & { pays: boolean }) => (
  <section aria-label="Refunds">
    <h3 className="mb-1 font-semibold">Refunds</h3>
    <ul className="divide-y divide-line rounded-md border border-line">
      {refunds.map((refund) => (
        <li key={refund.id} className="px-3 py-2.5">
          <p className="break-words">{`${refund.menuItem.name} for ${refund.student.name}`}</p>
          <p className="text-sm text-muted">{backText(refund)}</p>
          {pays && refund.owed > 0 ? (
            <Link to={consolePaths.sectionWith('refunds', { text: refund.id })} className={actLink}>
              {`Pay back ${kwacha(refund.owed)}`}
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  </section>
)

const backText = ({
  amount,
  owed,
  givenAsCredit = 0,
  dueSince,
  doneAt,
}: Money['refunds'][number]): string => {
  const money = amount - owed - givenAsCredit
  const at = doneAt === null ? '' : ` ${dateAndTime(doneAt)}`
  return [
    ...(owed > 0 ? [`${kwacha(owed)} of ${kwacha(amount)} owed back since ${dateAndTime(dueSince)}`] : []),
    // Floating-point kwacha need not sum to exactly zero.
    ...(money >= 0.005 ? [`${kwacha(money)} paid back${at}`] : []),
    ...(givenAsCredit > 0 ? [`${kwacha(givenAsCredit)} given as credit${at}`] : []),
  ].join(', ')
}
