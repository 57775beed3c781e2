import type { ReactNode } from 'react'
import type { OpenPayment } from '#contracts/open-payments'
import { classes } from '../../lib/classes'
import { kwacha } from '../../lib/format'
import { payByLabel } from '../../lib/pay-by'
import { dateAndTime } from '../../lib/school-moment'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'

// As high as the button beside the reference, so that all values stand on one line.
const firstLine = 'flex min-h-9 items-center'

/** How one open payment is paid: amount, reference, where to, until when. */
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
