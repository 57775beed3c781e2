import { useMutation } from '@tanstack/react-query'
import {
  accountWords,
  bookAccounts,
  bookPrograms,
  getAccounts,
  saveAccounts,
  type BookProgram,
} from '#contracts/books'
import type { ReplyOf } from '#contracts/endpoint'
import { endpointMutation, endpointQuery, useFresh } from '../../lib/endpoint-query'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'

/** Under which numbers the month goes into the school's own books. */
export const AccountSettings = () => (
  <Card>
    <CardHeading
      title="Accounts of the Books"
      hint="Numbers of your accounting program, by which Cycle History writes the month for it"
    />
    <CardBody>
      <QueryResult query={useFresh(accountsQuery)} failure="Failed to fetch the accounts">
        {(saved) => <AccountsForm saved={saved} />}
      </QueryResult>
    </CardBody>
  </Card>
)

const programs: Record<BookProgram, string> = {
  sage: 'Sage 50 / Pastel',
  quickbooks: 'QuickBooks Online',
  xero: 'Xero',
  csv: 'Another',
}

const hints: Partial<Record<(typeof bookAccounts)[number], string>> = {
  discounts: 'Also gifts. Empty: as meals.',
  fees: 'What was accepted as missing of a payment. Empty: as meals.',
  absences: 'Credit for absences. Empty: as meals.',
  other: 'Payments and refunds whose method is unknown.',
}

const AccountsForm = ({ saved }: { saved: ReplyOf<typeof getAccounts> }) => {
  const saving = useMutation(save)
  return (
    <Form
      schema={saveAccounts.body}
      defaultValues={saved}
      onSave={async (body, form) => {
        form.reset(await saving.mutateAsync({ body }))
        adminToast({ title: 'Accounts saved successfully' })
      }}
      failed="Failed to save the accounts"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField
        name="program"
        label="Program"
        options={bookPrograms.map((value) => ({ value, label: programs[value] }))}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {bookAccounts.map((account) => (
          <FormField
            key={account}
            name={`codes.${account}`}
            label={accountWords[account]}
            hint={hints[account]}
            maxLength={60}
            autoComplete="off"
          />
        ))}
      </div>
      <FormField
        name="taxCode"
        label="Tax rate"
        hint="Required by Xero, as it names the rate there, for example No VAT."
        maxLength={60}
        autoComplete="off"
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Accounts
      </SubmitButton>
    </Form>
  )
}

const accountsQuery = { ...endpointQuery('refunds', getAccounts, {}), staleTime: 0 }

const save = endpointMutation(saveAccounts, 'refunds')
