import { Link } from 'react-router-dom'
import type { FamilyPage } from '#contracts/find'
import type { User } from '#contracts/identity'
import { kwacha } from '../../lib/format'
import { paths } from '../../lib/paths'
import { dateAndTime } from '../../lib/school-moment'
import { Card, CardBody, CardHeading } from '../../ui/card'

type Money = FamilyPage['money']

type FamilyMoneyProps = { page: FamilyPage; user: User }

export const FamilyMoney = ({ page: { parent, money, credit }, user }: FamilyMoneyProps) => (
  <Card>
    <CardHeading
      title="Money"
      actions={
        accountFeatures.some((feature) => user.allowedFeatures.includes(feature)) ? (
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
        <Sum term="Credit" amount={credit.balance} />
        <Sum term="Credit in use" amount={credit.held} />
      </dl>
      {money.payments.length === 0 ? null : <Payments payments={money.payments} />}
      {money.refunds.length === 0 ? null : <Refunds refunds={money.refunds} />}
    </CardBody>
  </Card>
)

/** Features with access to accounts. */
const accountFeatures = ['refunds', 'live_orders', 'pending_payments'] as const

const Sum = ({ term, amount }: { term: string; amount: number }) => (
  <div>
    <dt className="text-sm text-muted">{term}</dt>
    <dd className="money text-lg font-semibold">{kwacha(amount)}</dd>
  </div>
)

const Payments = ({ payments }: Pick<Money, 'payments'>) => (
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
              dateAndTime(payment.at),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  </section>
)

const Refunds = ({ refunds }: Pick<Money, 'refunds'>) => (
  <section aria-label="Refunds">
    <h3 className="mb-1 font-semibold">Refunds</h3>
    <ul className="divide-y divide-line rounded-md border border-line">
      {refunds.map((refund) => (
        <li key={refund.id} className="px-3 py-2.5">
          <p className="break-words">{`${refund.menuItem.name} for ${refund.student.name}`}</p>
          <p className="text-sm text-muted">{backText(refund)}</p>
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
