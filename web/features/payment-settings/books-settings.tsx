import { useMutation, useQuery } from '@tanstack/react-query'
import { useController } from 'react-hook-form'
import { saveBooksSettings, type BooksSettings as Settings } from '#contracts/books-settings'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'
import { Switch } from '../../ui/switch'
import { OptionalNumber } from '../../ui/optional-number'
import { booksQuery, saveBooks } from './api'

/** Settings, Payment Settings: what stands on receipts, and how money goes back. */
export const BooksSettings = () => {
  const settings = useQuery(booksQuery)
  return (
    <Card>
      <CardHeading title="Receipts and Refunds" hint="What stands on receipts, and how money goes back" />
      <CardBody>
        <QueryResult query={settings} failure="Failed to fetch the settings of receipts">
          {(saved) => <SettingsForm saved={saved} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const SettingsForm = ({ saved }: { saved: Settings }) => {
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
      <OptionalNumber
        name="vatPercent"
        label="VAT in percent"
        hint="Prices include it. Empty for none; another rate counts for receipts from now on."
      />
      <OptionalNumber
        name="refundApprovalAbove"
        label="A second administrator approves above (K)"
        hint="Of what goes back to one family in a day. Empty for never."
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
