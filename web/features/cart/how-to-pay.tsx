import type { OpenPayment } from '#contracts/payments'
import { copy } from '../../lib/copy'
import { counted, dayAndMonth, dayName, kwacha, payByLabel } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { useUser } from '../../queries/session'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'

/** Just placed, it has no meals and deadline yet. */
export type Payable = Pick<OpenPayment, 'reference' | 'amount' | 'instructions'> & Partial<OpenPayment>

type HowToPayProps = {
  payments: readonly Payable[]
  /** The meals were ordered just now. */
  isNew?: boolean
  onClose: () => void
}

export const HowToPay = ({ payments, isNew, onClose }: HowToPayProps) => {
  const mailed = useUser().email === null ? '' : ' It is in your email too.'
  return (
    <Dialog
      open
      onClose={onClose}
      title="How to pay"
      description={isNew ? `Your meals are ordered. ${wayText(payments)}${mailed}` : wayText(payments)}
      actions={<Button onClick={onClose}>Done</Button>}
    >
      <ul className="flex flex-col divide-y divide-line">
        {payments.map((payment) => (
          <li key={payment.reference} className="py-4 first:pt-0 last:pb-0">
            <PaymentFacts payment={payment} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const wayText = (payments: readonly Payable[]): string => {
  const ways = new Set(payments.flatMap((payment) => accountsOf(payment).map(({ way }) => way)))
  const [only] = ways
  const pay = ways.size === 1 && only ? `Please pay with ${only}` : 'Please pay with one of these'
  return `${pay} and quote the reference.`
}

const PaymentFacts = ({ payment }: { payment: Payable }) => {
  const { reference, amount, lapsesAt, orders } = payment
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col gap-2">
        <Fact name="Amount" value={kwacha(amount)} />
        <Fact name="Reference" value={reference} copies={`the reference ${reference}`} />
        {accountsOf(payment).map(({ way, number, more }) => (
          <Fact key={way} name={way} value={number} more={more} copies={`the ${way} number ${number}`} />
        ))}
      </dl>
      {/* Keeps its place until the deadline is known. */}
      <p className="min-h-6 text-sm">
        {lapsesAt
          ? `Pay until ${dateAndTime(lapsesAt)}. A meal that is not paid for by then is cancelled.`
          : lapsesAt === null
            ? 'This stays on your home page until we have seen your payment.'
            : null}
      </p>
      {orders ? (
        <ul aria-label={counted(orders.length, 'meal')} className="text-sm text-muted">
          {orders.map(({ id, menuItem, student, dayOfWeek, mealDate }) => (
            <li key={id}>
              {`${menuItem.name} for ${student.name}, ${dayName(dayOfWeek)}, ${dayAndMonth(mealDate)}`}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

type FactProps = {
  name: string
  value: string
  more?: string
  /** What a press copies, in words. */
  copies?: string
}

const Fact = ({ name, value, more, copies }: FactProps) => (
  <div className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
    <dt className="col-start-1 text-sm text-muted">{name}</dt>
    <dd className="col-start-1 text-lg font-semibold wrap-break-word tabular-nums">{value}</dd>
    {more ? <dd className="col-start-1 text-sm">{more}</dd> : null}
    {copies && value ? (
      <dd className="col-start-2 row-span-3 row-start-1">
        <Button
          variant="secondary"
          icon="copy"
          aria-label={`Copy ${copies}`}
          onClick={() => void copy(value, copies)}
        >
          Copy
        </Button>
      </dd>
    ) : null}
  </div>
)

/** The accounts to pay to, each with its number and what else identifies it. */
const accountsOf = ({ instructions: { airtelMoney, mtnMoney, bankTransfer } }: Payable) => {
  const wallets = [
    { way: payByLabel('airtel'), account: airtelMoney },
    { way: payByLabel('mtn'), account: mtnMoney },
  ].flatMap(({ way, account }) => (account ? [{ way, number: account.number, more: account.name }] : []))
  if (!bankTransfer) return wallets
  const { accountNumber, accountName, bankName, branchName, swiftCode } = bankTransfer
  const more = [accountName, bankName, branchName, swiftCode].filter((text) => text !== '').join(', ')
  return [...wallets, { way: payByLabel('bank'), number: accountNumber, more }]
}
