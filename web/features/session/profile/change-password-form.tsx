import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { passwordConfirmationMessage, type User } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { useSchemaForm } from '../../../ui/form'
import { TextField } from '../../../ui/text-field'
import { saveProfile } from '../api'

const newPasswordForm = z
  .object({
    currentPassword: z.string().check(z.minLength(1, 'Please enter the temporary password')),
    newPassword: z.string().check(z.minLength(6, 'Password must be at least 6 characters'), z.maxLength(200)),
    confirmPassword: z.string(),
  })
  .check(
    z.refine((form) => form.newPassword === form.confirmPassword, {
      message: passwordConfirmationMessage,
      path: ['confirmPassword'],
    }),
  )

/** Replaces a temporary password; the rest of the profile is sent as it is. */
export const ChangePasswordForm = ({ user }: { user: User }) => {
  const saving = useMutation(saveProfile)
  const form = useSchemaForm({
    schema: newPasswordForm,
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
    onSubmit: async (passwords) => {
      await saving.mutateAsync({
        name: user.name,
        email: user.email ?? undefined,
        phone: user.phone ?? undefined,
        ...passwords,
      })
      toast({ title: 'Password updated successfully' })
    },
    onFailure: (error) =>
      toast({ title: 'Update Failed', text: messageOf(error, 'Please try again.'), kind: 'error' }),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
      <TextField
        label="Temporary password"
        type="password"
        autoComplete="current-password"
        error={form.errorOf('currentPassword')}
        {...form.register('currentPassword')}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters."
        error={form.errorOf('newPassword')}
        {...form.register('newPassword')}
      />
      <TextField
        label="New password again"
        type="password"
        autoComplete="new-password"
        error={form.errorOf('confirmPassword')}
        {...form.register('confirmPassword')}
      />
      <Button type="submit" busy={form.busy}>
        Change Password
      </Button>
    </form>
  )
}
