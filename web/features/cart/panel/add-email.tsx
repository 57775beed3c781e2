import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { givenVersion } from '#contracts/endpoint'
import { updateProfile } from '#contracts/identity'
import { call, messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { userQuery } from '../../../queries/session'
import { Button } from '../../../ui/button'
import { Card } from '../../../ui/card'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import type { Customer, Words } from '../checkout/checkout'

const address = { email: z.email('Please enter a valid email address'), ...givenVersion }
const contact = z.object({
  ...address,
  currentPassword: z.string().check(z.minLength(1, 'Password is required')),
})
const addressOnly = z.object({ ...address, currentPassword: z.optional(z.string()) })

const useSaveEmail = ({ name, phone }: Customer) =>
  useMutation({
    mutationFn: (typed: z.infer<typeof addressOnly>) =>
      call(updateProfile, { body: { name, phone: phone ?? '', ...typed } }),
    onSuccess: (user, _typed, _before, { client }) => client.setQueryData(userQuery.queryKey, user),
  })

const notifyNotSaved = (error: unknown) =>
  toast({ title: 'Update Failed', text: messageOf(error, 'Please try again.'), kind: 'error' })

type AddEmailProps = { customer: Customer; problem: Words; onProfile: () => void }

/** Before anything is pressed: no order is placed without. */
export const AddEmail = ({ customer, problem, onProfile }: AddEmailProps) => {
  const saving = useSaveEmail(customer)
  return (
    <Card data-contact className="flex flex-col gap-3 p-4 sm:p-6">
      <h2 className="font-display text-lg font-semibold">{problem.title}</h2>
      <p className="text-sm">{problem.text}</p>
      <Form
        schema={contact}
        defaultValues={{ email: customer.email ?? '', currentPassword: '', version: customer.version }}
        onSave={async (typed) => {
          await saving.mutateAsync(typed)
          toast({ title: 'Email address saved', text: 'You can place the order now.' })
        }}
        failed={notifyNotSaved}
        className="flex flex-col gap-3"
      >
        <FormField
          name="email"
          label="Email Address"
          type="email"
          autoComplete="email"
          hint="For receipts, and when a day is closed."
        />
        <FormField
          name="currentPassword"
          label="Current Password"
          type="password"
          autoComplete="current-password"
          hint="Needed so that nobody else can change your address."
        />
        <div className="flex flex-wrap gap-2">
          <SubmitButton>Save Email Address</SubmitButton>
          {problem.toDo ? (
            <Button variant="secondary" onClick={onProfile}>
              {problem.toDo}
            </Button>
          ) : null}
        </div>
      </Form>
    </Card>
  )
}

/** For the way to pay that was chosen. Place Order submits it; the password is asked for then. */
export const EmailToPay = ({
  customer,
  problem,
  onProfile,
  onSaved,
}: AddEmailProps & { onSaved: () => void }) => {
  const saving = useSaveEmail(customer)
  return (
    <div data-pay-by-mail className="flex flex-col">
      <Form
        schema={addressOnly}
        defaultValues={{ email: customer.email ?? '', version: customer.version }}
        onSave={async (typed) => {
          await saving.mutateAsync(typed)
          onSaved()
        }}
        failed={notifyNotSaved}
      >
        <FormField
          name="email"
          label="Email Address"
          type="email"
          autoComplete="email"
          hint="For the receipt, and to tell you how the payment went."
        />
      </Form>
      {problem.toDo ? (
        <Button variant="ghost" size="sm" className="self-start" onClick={onProfile}>
          {problem.toDo}
        </Button>
      ) : null}
    </div>
  )
}
