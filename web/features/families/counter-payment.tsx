import * as z from 'zod/mini'
import type { BodyOf } from '#contracts/endpoint'
import { counterWays, type orderForFamily } from '#contracts/ordering'
import { payByLabel } from '../../lib/format'
import { Form, FormField, SubmitButton } from '../../ui/form'

export type CounterTerms = Omit<BodyOf<typeof orderForFamily>, 'cartItems'>

type CounterPaymentProps = {
  /** Of the button: "Order 3 meals". */
  submit: string
  /** Without it the money can only be confirmed by another administrator. */
  mayReceive: boolean
  onOrder: (terms: CounterTerms) => Promise<unknown>
}

/** How an order of the office is paid. */
export const CounterPayment = ({ submit, mayReceive, onOrder }: CounterPaymentProps) => (
  <Form
    schema={terms}
    defaultValues={{
      payBy: 'cash',
      received: mayReceive ? 'yes' : 'no',
      transactionId: '',
      note: '',
    }}
    onSave={({ payBy, received, transactionId, note }) =>
      onOrder({
        payBy,
        received: payBy !== 'credit' && received === 'yes',
        ...(transactionId && { transactionId }),
        ...(note && { note }),
      })
    }
    failed="Failed to order"
    className="grid gap-4 sm:grid-cols-2"
  >
    <FormField
      name="payBy"
      label="How it is paid"
      options={counterWays.map((value) => ({ value, label: payByLabel(value) }))}
    />
    {mayReceive ? (
      <FormField
        name="received"
        label="The money"
        hint="Credit is taken at once"
        options={[
          { value: 'yes', label: 'Is here: make the receipt' },
          { value: 'no', label: 'Is not here yet: Pending Payments' },
        ]}
      />
    ) : null}
    {mayReceive ? (
      <FormField
        name="transactionId"
        label="Transaction id (optional)"
        hint="Not for cash. Other money goes back as credit until a statement has it"
        maxLength={100}
        autoComplete="off"
      />
    ) : null}
    <FormField name="note" label="Note (optional)" rows={2} maxLength={500} className="sm:col-span-2" />
    <SubmitButton icon="check" className="sm:col-span-2">
      {submit}
    </SubmitButton>
  </Form>
)

const terms = z.object({
  payBy: z.enum(counterWays),
  received: z.enum(['yes', 'no']),
  transactionId: z.string().check(z.trim(), z.maxLength(100)),
  note: z.string().check(z.trim(), z.maxLength(500)),
})
