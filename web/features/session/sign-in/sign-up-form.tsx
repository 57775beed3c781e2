import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type BodyOf, nonEmpty } from '#contracts/endpoint'
import { register } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { useSchemaForm } from '../../../ui/form'
import { TextField } from '../../../ui/text-field'
import { signUp } from '../api'
import { ContactFields } from '../contact-fields'
import { Unanswered } from './unanswered'

const empty = { username: '', password: '', firstName: '', lastName: '', email: '', phone: '' }

/** A new account; it is signed in at once. */
export const SignUpForm = () => {
  const signingUp = useMutation(signUp)
  const form = useSchemaForm({
    schema: signUpForm,
    defaultValues: empty,
    onSubmit: async (values) => {
      await signingUp.mutateAsync(registrationOf(values))
      toast({ title: 'Registered successfully' })
    },
    onFailure: (error) =>
      toast({
        title: 'Error',
        text: messageOf(error, 'Registration failed', 'Failed to register'),
        kind: 'error',
      }),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="First Name"
          autoComplete="given-name"
          error={form.errorOf('firstName')}
          {...form.register('firstName')}
        />
        <TextField
          label="Last Name"
          autoComplete="family-name"
          error={form.errorOf('lastName')}
          {...form.register('lastName')}
        />
      </div>
      <ContactFields form={form} email="Email Address (Optional)" phone="Phone Number (Optional)" />
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        hint="Tips: keep it simple and memorable, avoid complex characters or numbers."
        error={form.errorOf('username')}
        {...form.register('username')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters."
        error={form.errorOf('password')}
        {...form.register('password')}
      />
      <Unanswered error={signingUp.error}>
        If the username is taken then, your account may have been made all the same: log in with it.
      </Unanswered>
      <Button type="submit" busy={form.busy}>
        Create Account
      </Button>
    </form>
  )
}

/** The registration as it is typed: the name in two fields. */
export const signUpForm = z.object({
  ...z.omit(register.body, { name: true }).shape,
  firstName: nonEmpty('First name is required'),
  lastName: nonEmpty('Last name is required'),
})

/** The registration as it is sent: one name, empty e-mail and phone left out. */
export const registrationOf = (form: z.output<typeof signUpForm>): BodyOf<typeof register> => ({
  username: form.username,
  password: form.password,
  name: `${form.firstName} ${form.lastName}`.trim(),
  ...(form.email ? { email: form.email } : {}),
  ...(form.phone ? { phone: form.phone } : {}),
})
