import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { passwordConfirmationMessage, type User } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { showFieldErrors } from '../../../lib/field-errors'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
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
  const form = useForm({
    resolver: zodResolver(newPasswordForm),
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
  })
  const save = form.handleSubmit(async (passwords) => {
    try {
      await saving.mutateAsync({
        name: user.name,
        email: user.email ?? undefined,
        phone: user.phone ?? undefined,
        ...passwords,
      })
      toast({ title: 'Password updated successfully' })
    } catch (error) {
      if (!showFieldErrors(form, error))
        toast({ title: 'Update Failed', text: messageOf(error, 'Please try again.'), kind: 'error' })
    }
  })
  const { errors, isSubmitting } = form.formState
  return (
    <form onSubmit={save} noValidate className="flex flex-col gap-4">
      <TextField
        label="Temporary password"
        type="password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters."
        error={errors.newPassword?.message}
        {...form.register('newPassword')}
      />
      <TextField
        label="New password again"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <Button type="submit" busy={isSubmitting}>
        Change Password
      </Button>
    </form>
  )
}
