import { kwacha, payByLabel } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import type { Placed } from './checkout'

type PaymentDialogProps = { payment: NonNullable<Placed['payment']>; onClose: () => void }

const wayNames: Record<string, string> = {
  airtelMoney: payByLabel('airtel'),
  mtnMoney: payByLabel('mtn'),
  bankTransfer: payByLabel('bank'),
}
const wayName = (way: string) => wayNames[way] ?? way

const partNames: Record<string, string> = {
  name: 'Name',
  number: 'Number',
  bankName: 'Bank',
  accountName: 'Account name',
  accountNumber: 'Account number',
  branchName: 'Branch',
  swiftCode: 'SWIFT code',
}

export const PaymentDialog = ({ payment, onClose }: PaymentDialogProps) => {
  // The dialog has its own words above the facts.
  const { message: _, ...accounts } = payment.instructions
  const ways = Object.keys(accounts)
  const pay = ways.length === 1 ? `Please pay with ${wayName(ways[0]!)}` : 'Please pay with one of these'
  return (
    <Dialog
      open
      onClose={onClose}
      title="How to pay"
      description={`Your meals are ordered. ${pay} and quote the reference. It is in your e-mail too.`}
      actions={<Button onClick={onClose}>Done</Button>}
    >
      <dl className="flex flex-col gap-4">
        <Fact name="Reference" value={payment.reference} />
        <Fact name="Amount" value={kwacha(payment.amount)} />
        {Object.entries(accounts).map(([name, value]) => (
          <Fact key={name} name={wayName(name)} value={value} />
        ))}
      </dl>
    </Dialog>
  )
}

const Fact = ({ name, value }: { name: string; value: unknown }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    {typeof value === 'object' && value !== null ? (
      Object.entries(value).map(([part, text]) =>
        text ? (
          <dd key={part}>
            {partNames[part] ?? part}: <span className="font-semibold wrap-break-word">{String(text)}</span>
          </dd>
        ) : null,
      )
    ) : (
      <dd className="text-lg font-semibold wrap-break-word">{String(value)}</dd>
    )}
  </div>
)
