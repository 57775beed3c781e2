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

const contact = z.object({
  email: z.email('Please enter a valid email address'),
  currentPassword: z.string().check(z.minLength(1, 'Password is required')),
  ...givenVersion,
})

type AddEmailProps = { customer: Customer; problem: Words; onProfile: () => void }

/** Before anything is pressed. */
export const AddEmail = ({ customer, problem, onProfile }: AddEmailProps) => {
  const { name, phone, email, version } = customer
  const saving = useMutation({
    mutationFn: (typed: z.infer<typeof contact>) =>
      call(updateProfile, { body: { name, phone: phone ?? '', ...typed } }),
    onSuccess: (user, _typed, _before, { client }) => client.setQueryData(userQuery.queryKey, user),
  })
  return (
    <Card data-contact className="flex flex-col gap-3 p-4 sm:p-6">
      <h2 className="font-display text-lg font-semibold">{problem.title}</h2>
      <p className="text-sm">{problem.text}</p>
      <Form
        schema={contact}
        defaultValues={{ email: email ?? '', currentPassword: '', version }}
        onSave={async (typed) => {
          await saving.mutateAsync(typed)
          toast({ title: 'Email address saved', text: 'You can place the order now.' })
        }}
        failed={(error) =>
          toast({ title: 'Update Failed', text: messageOf(error, 'Please try again.'), kind: 'error' })
        }
        className="flex flex-col gap-3"
      >
        <FormField name="email" label="Email Address" type="email" autoComplete="email" />
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
