import { useMutation } from '@tanstack/react-query'
import { useController, useWatch } from 'react-hook-form'
import { saveBooksSettings, type BooksSettings as Settings, getBooksSettings } from '#contracts/books'
import type { ReplyOf } from '#contracts/endpoint'
import { savePaymentBypass, type PaymentBypass } from '#contracts/payments'
import { endpointMutation, endpointQuery, useFresh } from '../../lib/endpoint-query'
import { adminToast } from '../../lib/toast'
import { useDeadline } from '../../queries/cycles'
import { waysToPayQuery } from '../../queries/payments'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Switch } from '../../ui/checkbox'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { Notice } from '../../ui/notice'
import { QueryResult, SkeletonLines } from '../../ui/query-result'
import { RadioCards } from '../../ui/radio-cards'
import { AccountSettings } from './account-settings'

/** Alternative payments and receipts. */
export const PaymentSettings = () => (
  <div className="flex flex-col gap-5">
    <AlternativePayments />
    <BooksSettings />
    <AccountSettings />
  </div>
)

const AlternativePayments = () => {
  const bypass = useFresh(freshWaysQuery)
  return (
    <Card>
      <CardHeading
        title="Payment Settings"
        hint="Mobile money and bank transfer, beside the card or instead of it"
      />
      <CardBody>
        <QueryResult
          query={bypass}
          failure="Failed to fetch payment bypass settings"
          waiting={<SkeletonLines lines={4} />}
        >
          {(saved) => <SettingsForm saved={saved} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

/** `enabled` replaces the card, `beside` adds to it. */
const SettingsForm = ({ saved }: { saved: ReplyOf<typeof savePaymentBypass> }) => {
  const saving = useMutation(saveBypass)
  return (
    <Form
      schema={savePaymentBypass.body}
      defaultValues={saved}
      onSave={async (body, form) => {
        form.reset(await saving.mutateAsync({ body }))
        adminToast({ title: 'Payment bypass settings saved successfully' })
      }}
      failed="Failed to save payment bypass settings"
      className="flex flex-col gap-6"
    >
      <Alternatives />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Payment Settings
      </SubmitButton>
    </Form>
  )
}

type Place = 'off' | 'beside' | 'instead'

const places: readonly { value: Place; label: string; hint: string }[] = [
  { value: 'off', label: 'Off', hint: 'Families pay by card.' },
  {
    value: 'beside',
    label: 'Beside the card',
    hint: 'Families choose in their cart: card, mobile money or bank.',
  },
  {
    value: 'instead',
    label: 'Instead of the card',
    hint: 'Card payments stop. Families pay by mobile money or bank.',
  },
]

const Alternatives = () => {
  const { field: enabled } = useController<PaymentBypass, 'enabled'>({ name: 'enabled' })
  const { field: beside } = useController<PaymentBypass, 'beside'>({ name: 'beside' })
  const place = enabled.value ? 'instead' : beside.value ? 'beside' : 'off'
  return (
    <>
      <RadioCards
        label="Alternative payments"
        options={places}
        value={place}
        onChange={(chosen) => {
          enabled.onChange(chosen === 'instead')
          beside.onChange(chosen === 'beside')
        }}
      />
      <Lapsing isUsed={place !== 'off'} />
      {place === 'instead' ? null : <Prompts />}
      {place === 'off' ? null : <Details instead={place === 'instead'} />}
    </>
  )
}

const Prompts = () => {
  const { field } = useController<PaymentBypass, 'prompt'>({ name: 'prompt' })
  return (
    <>
      <Switch
        label="Ask the family's phone for mobile money"
        checked={field.value}
        onChange={field.onChange}
      />
      <p className="max-w-form text-muted">
        {field.value
          ? 'Airtel Money and MTN Money are paid at once: the card provider sends a prompt to the phone, and the payment is confirmed automatically. The provider must have switched both networks on for the school.'
          : 'Airtel Money and MTN Money are paid by hand, and verified under Pending Payments.'}
      </p>
    </>
  )
}

/** Shown while unpaid meals may exist or it is on. */
const Lapsing = ({ isUsed }: { isUsed: boolean }) => {
  const { field } = useController<PaymentBypass, 'unpaidUntil'>({ name: 'unpaidUntil' })
  const isOn = field.value === 'cutoff'
  const deadline = useDeadline()
  if (!isUsed && !isOn) return null
  return (
    <>
      <Switch
        label={`Cancel meals that are not paid by ${deadline}`}
        checked={isOn}
        onChange={(on) => field.onChange(on ? 'cutoff' : 'never')}
      />
      <p className="max-w-form text-muted">
        {isOn
          ? 'A meal whose payment is not verified is cancelled soon after that time, and nothing is owed for it. Its family is told a day before and when it happens. Meals whose time has passed already stay.'
          : 'Unpaid meals stay ordered, and are cooked.'}
      </p>
    </>
  )
}

/** Form fields and labels by way. */
const accounts = [
  {
    title: 'Airtel Money',
    fields: [
      ['airtelMoney.name', 'Account name'],
      ['airtelMoney.number', 'Number'],
    ],
  },
  {
    title: 'MTN Money',
    fields: [
      ['mtnMoney.name', 'Account name'],
      ['mtnMoney.number', 'Number'],
    ],
  },
  {
    title: 'Bank Transfer',
    fields: [
      ['bankTransfer.bankName', 'Bank name'],
      ['bankTransfer.accountName', 'Account name'],
      ['bankTransfer.accountNumber', 'Account number'],
      ['bankTransfer.branchName', 'Branch name'],
      ['bankTransfer.swiftCode', 'SWIFT code'],
    ],
  },
] as const

const payableNumbers = ['airtelMoney.number', 'mtnMoney.number', 'bankTransfer.accountNumber'] as const

const Details = ({ instead }: { instead: boolean }) => {
  const numbers = useWatch<PaymentBypass, typeof payableNumbers>({ name: payableNumbers })
  return (
    <>
      <Notice
        title={instead ? 'Nobody can start a card payment' : 'Each way is offered once you give its number'}
      >
        <p>
          Families are shown these details with a reference of their own. Their orders wait under Pending
          Payments, and the kitchen sees them as unpaid, until somebody verifies the payment.
        </p>
      </Notice>
      {accounts.map(({ title, fields }) => (
        <fieldset key={title}>
          <legend className="mb-2 font-display text-lg font-semibold">{title}</legend>
          <div className="grid gap-4 sm:grid-cols-2">
            {fields.map(([name, label]) => (
              <FormField
                key={name}
                name={name}
                label={label}
                maxLength={200}
                autoComplete="off"
                inputMode={name.endsWith('umber') ? 'numeric' : undefined}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {numbers.some((number) => number.trim() !== '') ? null : (
        <Notice tone="warning" title="No number to pay to">
          <p>Give at least one number, or families will not know where to send their money.</p>
        </Notice>
      )}
    </>
  )
}

/** Receipts and refunds. */
export const BooksSettings = () => {
  const settings = useFresh(booksQuery)
  return (
    <Card>
      <CardHeading title="Receipts and Refunds" hint="What receipts say, and how money goes back" />
      <CardBody>
        <QueryResult query={settings} failure="Failed to fetch the settings of receipts">
          {(saved) => <BooksForm saved={saved} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const BooksForm = ({ saved }: { saved: ReplyOf<typeof getBooksSettings> }) => {
  const saving = useMutation(saveBooks)
  return (
    <Form
      schema={saveBooksSettings.body}
      defaultValues={saved}
      onSave={async (body, form) => {
        form.reset(await saving.mutateAsync({ body }))
        adminToast({ title: 'Receipts and refunds saved successfully' })
      }}
      failed="Failed to save the settings of receipts"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField name="tpin" label="TPIN" maxLength={40} autoComplete="off" inputMode="numeric" />
      <FormField name="address" label="Address" rows={3} maxLength={300} />
      <FormField
        number
        name="vatPercent"
        label="VAT included in prices (%)"
        hint="Leave empty for none. A new rate applies to receipts from now on."
      />
      <FormField
        number
        name="refundApprovalAbove"
        label="Second approval needed above (K)"
        hint="Per family and day. Leave empty for never."
      />
      <CardRefunds />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Receipts and Refunds
      </SubmitButton>
    </Form>
  )
}

const CardRefunds = () => {
  const { field } = useController<Settings, 'cardRefunds'>({ name: 'cardRefunds' })
  return (
    <Switch label="Refunds can be sent back to the card" checked={field.value} onChange={field.onChange} />
  )
}

/** Refetched whenever opened. */
export const freshWaysQuery = { ...waysToPayQuery, staleTime: 0 }

export const saveBypass = endpointMutation(savePaymentBypass, 'payments')

export const booksQuery = { ...endpointQuery('refunds', getBooksSettings, {}), staleTime: 0 }

export const saveBooks = endpointMutation(saveBooksSettings, 'refunds')
