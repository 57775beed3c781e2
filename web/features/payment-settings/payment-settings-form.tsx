import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { FormProvider, useController, useForm, useFormContext, useWatch } from 'react-hook-form'
import { paymentBypass, type PaymentBypass } from '#contracts/payments'
import { showFieldErrors } from '../../lib/field-errors'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { Switch } from '../../ui/switch'
import { TextField } from '../../ui/text-field'
import { accounts, payableNumbers } from './accounts'
import { saveBypass } from './api'

/** Whether families pay by mobile money or bank instead of card, and where they send it. */
export const PaymentSettingsForm = ({ saved }: { saved: PaymentBypass }) => {
  const { form, save } = useSettingsForm(saved)
  const {
    field: { value: enabled, onChange },
  } = useController({ control: form.control, name: 'enabled' })
  return (
    <form noValidate onSubmit={save} className="flex flex-col gap-6">
      <Switch label="Alternative payments" checked={enabled} onChange={onChange} />
      {enabled ? (
        <FormProvider {...form}>
          <Details />
        </FormProvider>
      ) : (
        <CardOnly />
      )}
      <Button
        type="submit"
        busy={form.formState.isSubmitting}
        busyLabel="Saving..."
        className="self-start max-sm:w-full"
      >
        Save Payment Settings
      </Button>
    </form>
  )
}

const useSettingsForm = (saved: PaymentBypass) => {
  const saving = useMutation(saveBypass)
  const form = useForm({ resolver: zodResolver(paymentBypass), defaultValues: saved })
  const save = form.handleSubmit(async (settings) => {
    try {
      form.reset(await saving.mutateAsync(settings))
      adminToast({ title: 'Payment bypass settings saved successfully' })
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to save payment bypass settings')
    }
  })
  return { form, save }
}

const CardOnly = () => (
  <p className="max-w-form text-muted">
    Families pay by card. Switched on, card payments stop; checkout shows the details you give here, and each
    payment waits under Pending Payments until somebody verifies it.
  </p>
)

const Details = () => {
  const numbers = useWatch<PaymentBypass, typeof payableNumbers>({ name: payableNumbers })
  return (
    <>
      <Notice title="While this is on, nobody can start a card payment">
        <p>
          Families are shown these details with a reference of their own. Their orders wait under Pending
          Payments, and the kitchen sees them as unpaid, until somebody verifies the payment.
        </p>
      </Notice>
      {accounts.map((account) => (
        <fieldset key={account.title}>
          <legend className="mb-2 font-display text-lg font-semibold">{account.title}</legend>
          <div className="grid gap-4 sm:grid-cols-2">
            {account.fields.map(({ name, label }) => (
              <AccountField key={name} name={name} label={label} />
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

const AccountField = ({ name, label }: (typeof accounts)[number]['fields'][number]) => {
  const { register, getFieldState, formState } = useFormContext<PaymentBypass>()
  return (
    <TextField
      {...register(name)}
      label={label}
      maxLength={200}
      autoComplete="off"
      inputMode={name.endsWith('umber') ? 'numeric' : undefined}
      error={getFieldState(name, formState).error?.message}
    />
  )
}
