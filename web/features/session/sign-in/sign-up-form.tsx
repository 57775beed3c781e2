import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { type BodyOf, nonEmpty } from '#contracts/endpoint'
import { register } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { showFieldErrors } from '../../../lib/field-errors'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { TextField } from '../../../ui/text-field'
import { signUp } from '../api'
import { ContactFields } from '../contact-fields'
import { Unanswered } from './unanswered'

const empty = { username: '', password: '', firstName: '', lastName: '', email: '', phone: '' }

/** A new account; it is signed in at once. */
export const SignUpForm = () => {
  const signingUp = useMutation(signUp)
  const form = useForm({ resolver: zodResolver(signUpForm), defaultValues: empty })
  const save = form.handleSubmit(async (values) => {
    try {
      await signingUp.mutateAsync(registrationOf(values))
      toast({ title: 'Registered successfully' })
    } catch (error) {
      if (!showFieldErrors(form, error))
        toast({
          title: 'Error',
          text: messageOf(error, 'Registration failed', 'Failed to register'),
          kind: 'error',
        })
    }
  })
  const { errors, isSubmitting } = form.formState
  return (
    <FormProvider {...form}>
      <form onSubmit={save} noValidate className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="First Name"
            autoComplete="given-name"
            error={errors.firstName?.message}
            {...form.register('firstName')}
          />
          <TextField
            label="Last Name"
            autoComplete="family-name"
            error={errors.lastName?.message}
            {...form.register('lastName')}
          />
        </div>
        <ContactFields email="Email Address (Optional)" phone="Phone Number (Optional)" />
        <TextField
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          hint="Tips: keep it simple and memorable, avoid complex characters or numbers."
          error={errors.username?.message}
          {...form.register('username')}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 6 characters."
          error={errors.password?.message}
          {...form.register('password')}
        />
        <Unanswered error={signingUp.error}>
          If the username is taken then, your account may have been made all the same: log in with it.
        </Unanswered>
        <Button type="submit" busy={isSubmitting}>
          Create Account
        </Button>
      </form>
    </FormProvider>
  )
}

/** The registration as it is typed: the name in two fields. */
const signUpForm = z.object({
  ...z.omit(register.body, { name: true }).shape,
  firstName: nonEmpty('First name is required'),
  lastName: nonEmpty('Last name is required'),
})

/** The registration as it is sent: one name, empty e-mail and phone left out. */
const registrationOf = (form: z.output<typeof signUpForm>): BodyOf<typeof register> => ({
  username: form.username,
  password: form.password,
  name: `${form.firstName} ${form.lastName}`.trim(),
  ...(form.email ? { email: form.email } : {}),
  ...(form.phone ? { phone: form.phone } : {}),
})
