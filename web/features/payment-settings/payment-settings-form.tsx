import { useMutation } from '@tanstack/react-query'
import { paymentBypass, type PaymentBypass } from '#contracts/payments'
import { adminToast } from '../../lib/toast'
import { tellFailure } from '../../lib/told'
import { Button } from '../../ui/button'
import { useSchemaForm } from '../../ui/form'
import { Notice } from '../../ui/notice'
import { Switch } from '../../ui/switch'
import { TextField } from '../../ui/text-field'
import { accounts, canBePaid } from './accounts'
import { saveBypass } from './api'

/** Whether families pay by mobile money or bank instead of card, and where they send it. */
export const PaymentSettingsForm = ({ saved }: { saved: PaymentBypass }) => {
  const form = useSettingsForm(saved)
  const enabled = form.watch('enabled')
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-6">
      <Switch
        label="Alternative payments"
        checked={enabled}
        onChange={(next) => form.setValue('enabled', next, { shouldDirty: true })}
      />
      {enabled ? <Details form={form} /> : <CardOnly />}
      <Button type="submit" busy={form.busy} busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Payment Settings
      </Button>
    </form>
  )
}

const useSettingsForm = (saved: PaymentBypass) => {
  const saving = useMutation(saveBypass)
  const form = useSchemaForm({
    schema: paymentBypass,
    defaultValues: saved,
    onSubmit: async (settings) => {
      form.reset(await saving.mutateAsync(settings))
      adminToast({ title: 'Payment bypass settings saved successfully' })
    },
    onFailure: (error) => tellFailure(error, 'Failed to save payment bypass settings'),
  })
  return form
}

type Form = ReturnType<typeof useSettingsForm>

const CardOnly = () => (
  <p className="max-w-form text-muted">
    Families pay by card. Switched on, card payments stop; checkout shows the details you give here, and each
    payment waits under Pending Payments until somebody verifies it.
  </p>
)

const Details = ({ form }: { form: Form }) => (
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
            <TextField
              key={name}
              {...form.register(name)}
              label={label}
              maxLength={200}
              autoComplete="off"
              inputMode={name.endsWith('umber') ? 'numeric' : undefined}
              error={form.errorOf(name)}
            />
          ))}
        </div>
      </fieldset>
    ))}
    {canBePaid(form.watch()) ? null : (
      <Notice tone="warning" title="No number to pay to">
        <p>Give at least one number, or families will not know where to send their money.</p>
      </Notice>
    )}
  </>
)
