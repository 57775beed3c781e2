import { useState } from 'react'
import { useCancelUntil } from '../../queries/ordering'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'

const cancelRules = {
  hour: 'Orders can only be cancelled within 1 hour of placing the order, in the Order History.',
  cutoff: 'Orders can be cancelled until the cutoff of their day, in the Order History.',
  unknown: 'Orders are cancelled in the Order History, which shows until when.',
}

/** Spec words (parent-and-teacher.md section 9), except for the cancellation deadline. */
const termsOf = (cancelling: string): readonly (readonly [string, string])[] => [
  [
    'Ordering',
    'Meals are ordered per child, week and day from the menu of the active order cycle. Orders must be placed before the cutoff.',
  ],
  [
    'Payment',
    'Prices are in Zambian kwacha. Payment is by cash, mobile money or online. An order that costs nothing is placed without payment.',
  ],
  ['Collecting', 'Meals must be collected within lunch hours.'],
  ['Cancelling', cancelling],
  ['Refunds', 'What is paid back, when and how is in the Refund Policy.'],
]

const refundRules: readonly (readonly [string, readonly string[]])[] = [
  [
    'How you get your money back',
    [
      'A cash refund is available within 1 hour at the canteen.',
      'Mobile money refunds take 3-5 business days.',
      'Requests are processed within 48 hours.',
    ],
  ],
  [
    'What is refunded',
    ['Cancellations before preparation', 'Absence with notice', 'Duplicate payment', 'Wrong orders'],
  ],
  [
    'What is not refunded',
    [
      'Requests made more than 24 hours after the order date',
      'A consumed meal',
      'Requests with missing proof',
    ],
  ],
]

export const TermsDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [refunds, setRefunds] = useState(false)
  const terms = termsOf(cancelRules[useCancelUntil() ?? 'unknown'])
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Terms & Conditions"
      wide
      actions={
        <>
          <Button variant="secondary" onClick={() => setRefunds(true)}>
            Refund Policy
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <dl className="flex flex-col gap-4">
        {terms.map(([name, text]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <RefundPolicyDialog open={refunds} onClose={() => setRefunds(false)} />
    </Dialog>
  )
}

const RefundPolicyDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Refund Policy"
    actions={<Button onClick={onClose}>Close</Button>}
  >
    <div className="flex flex-col gap-4">
      {refundRules.map(([name, rules]) => (
        <section key={name}>
          <h3 className="font-semibold">{name}</h3>
          <ul className="list-disc pl-5 text-muted">
            {rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </section>
      ))}
      <p className="text-muted">To ask for a refund, come to the canteen or write to us under Contact.</p>
    </div>
  </Dialog>
)
