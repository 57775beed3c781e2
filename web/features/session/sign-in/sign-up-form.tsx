import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { type BodyOf, personName } from '#contracts/endpoint'
import { register } from '#contracts/identity'
import { CallError, messageOf } from '../../../lib/call'
import { paths } from '../../../lib/paths'
import { toast } from '../../../lib/toast'
import { privacyQuery } from '../../../queries/identity'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { Notice } from '../../../ui/notice'
import { signUp } from '../api'
import { ContactFields } from '../contact-fields'
import { Unanswered } from './login-form'

type SignUpFormProps = {
  /** The privacy notice as it is now, shown where it changed meanwhile. */
  notice: ReactNode
  /** From a school letter's link. */
  code?: string
  /** Of a guardian's mailed invitation, and the address that it was sent to. */
  invite?: string
  email?: string
  /** Before the home replaces the form. */
  onRegistered?: () => void
}

export const SignUpForm = ({ notice, code = '', invite, email = '', onRegistered }: SignUpFormProps) => {
  const client = useQueryClient()
  const accepted = useQuery(privacyQuery).data
  const signingUp = useMutation({
    ...signUp,
    onSuccess: (...outcome) => {
      onRegistered?.()
      return signUp.onSuccess?.(...outcome)
    },
  })
  return (
    <Form
      schema={signUpForm}
      defaultValues={{
        username: '',
        password: '',
        firstName: '',
        lastName: '',
        email,
        phone: '',
        code,
        ...(invite && { invite }),
      }}
      onSave={async (typed) => {
        await signingUp.mutateAsync(registrationOf(typed, accepted?.version))
        toast({ title: 'Registered successfully' })
      }}
      failed={(error) => {
        notifyNotRegistered(error)
        if (isNoticeChanged(error)) void client.invalidateQueries({ queryKey: privacyQuery.queryKey })
      }}
      className="flex flex-col gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField name="firstName" label="First Name" autoComplete="given-name" />
        <FormField name="lastName" label="Last Name" autoComplete="family-name" />
      </div>
      <ContactFields email="Email Address (Optional)" phone="Phone Number (Optional)" />
      <FormField
        name="code"
        label="Code from the School's Letter (Optional)"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        className="[&_input]:uppercase"
        hint="8 letters, which put your children on your account. You can add them later too."
      />
      <FormField
        name="username"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        hint="Tips: keep it simple and memorable, avoid complex characters or numbers."
      />
      <FormField
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters."
      />
      <Unanswered error={signingUp.error}>
        If the username is taken then, your account may have been made all the same: log in with it.
      </Unanswered>
      <p className="text-sm text-muted">
        By creating an account you accept the{' '}
        <a
          href={paths.privacy}
          target="_blank"
          rel="noopener"
          className="font-semibold text-brand-700 underline"
        >
          Privacy Notice
        </a>
        {accepted ? ` of ${accepted.schoolName}` : null}.
      </p>
      {isNoticeChanged(signingUp.error) ? (
        <Notice title="The privacy notice has changed">{notice}</Notice>
      ) : null}
      <SubmitButton>Create Account</SubmitButton>
    </Form>
  )
}

const isNoticeChanged = (error: unknown) => error instanceof CallError && error.code === 'privacy_changed'

const notifyNotRegistered = (error: unknown) =>
  toast({
    title: 'Error',
    text: messageOf(error, 'Registration failed', 'Failed to register'),
    kind: 'error',
  })

/** Two name fields. */
const signUpForm = z.object({
  ...z.omit(register.body, { name: true }).shape,
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
})

/** One name; empty fields omitted. */
const registrationOf = (
  form: z.output<typeof signUpForm>,
  privacyVersion: number | undefined,
): BodyOf<typeof register> => ({
  username: form.username,
  password: form.password,
  name: `${form.firstName} ${form.lastName}`.trim(),
  ...(form.email ? { email: form.email } : {}),
  ...(form.phone ? { phone: form.phone } : {}),
  ...(form.code ? { code: form.code } : {}),
  ...(form.invite ? { invite: form.invite } : {}),
  ...(privacyVersion === undefined ? {} : { privacyVersion }),
})
