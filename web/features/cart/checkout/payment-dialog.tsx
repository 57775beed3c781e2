import { kwacha } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import type { Placed } from './checkout'

type PaymentDialogProps = { payment: NonNullable<Placed['payment']>; onClose: () => void }

const words = (name: string) =>
  name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replace(/^./, (letter) => letter.toUpperCase())

/** How to pay for orders placed without a card: the reference, the amount, and every account of the tuckshop. */
export const PaymentDialog = ({ payment, onClose }: PaymentDialogProps) => (
  <Dialog
    open
    onClose={onClose}
    title="How to pay"
    description="Your meals are ordered. Please pay with one of these and quote the reference. It is in your e-mail too."
    actions={<Button onClick={onClose}>Done</Button>}
  >
    <dl className="flex flex-col gap-4">
      <Fact name="Reference" value={payment.reference} />
      <Fact name="Amount" value={kwacha(payment.amount)} />
      {Object.entries(payment.instructions).map(([name, value]) => (
        <Fact key={name} name={words(name)} value={value} />
      ))}
    </dl>
  </Dialog>
)

const Fact = ({ name, value }: { name: string; value: unknown }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    {typeof value === 'object' && value !== null ? (
      Object.entries(value).map(([part, text]) =>
        text ? (
          <dd key={part}>
            {words(part)}: <span className="font-semibold break-all">{String(text)}</span>
          </dd>
        ) : null,
      )
    ) : (
      <dd className="text-lg font-semibold break-all">{String(value)}</dd>
    )}
  </div>
)
