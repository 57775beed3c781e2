import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { givenVersion } from '#contracts/endpoint'
import { passwordConfirmationMessage, type User } from '#contracts/identity'
import { toast } from '../../../lib/toast'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { notifyNotSaved, saveProfile } from '../api'

const fields = {
  newPassword: z
    .string()
    .check(z.normalize('NFC'), z.minLength(6, 'Password must be at least 6 characters'), z.maxLength(200)),
  confirmPassword: z.string().check(z.normalize('NFC')),
  ...givenVersion,
}
const isConfirmed = (form: { newPassword: string; confirmPassword: string }) =>
  form.newPassword === form.confirmPassword
const unconfirmed = { message: passwordConfirmationMessage, path: ['confirmPassword'] }
const currentPassword = z.string().check(z.minLength(1, 'Please enter the temporary password'))
const typedForm = z.object(fields).check(z.refine(isConfirmed, unconfirmed))
const wholeForm = z.object({ currentPassword, ...fields }).check(z.refine(isConfirmed, unconfirmed))

/** Asks for the temporary password only where this session has not typed it. The rest of the profile is sent unchanged. */
export const ChangePasswordForm = ({ user }: { user: User }) => {
  const saving = useMutation(saveProfile)
  return (
    <Form
      schema={user.passwordTyped ? typedForm : wholeForm}
      defaultValues={{
        ...(!user.passwordTyped && { currentPassword: '' }),
        newPassword: '',
        confirmPassword: '',
        version: user.version,
      }}
      onSave={async (passwords) => {
        await saving.mutateAsync({
          name: user.name,
          email: user.email ?? undefined,
          phone: user.phone ?? undefined,
          ...passwords,
        })
        toast({ title: 'Password updated successfully' })
      }}
      failed={notifyNotSaved}
      className="flex flex-col gap-4"
    >
      {user.passwordTyped ? null : (
        <FormField
          name="currentPassword"
          label="Temporary password"
          type="password"
          autoComplete="current-password"
        />
      )}
      <FormField
        name="newPassword"
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={`At least ${user.role === 'admin' ? 10 : 6} characters.`}
      />
      <FormField
        name="confirmPassword"
        label="New password again"
        type="password"
        autoComplete="new-password"
      />
      <SubmitButton>Change Password</SubmitButton>
    </Form>
  )
}
