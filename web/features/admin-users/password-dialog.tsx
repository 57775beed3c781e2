import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { newPassword } from '#contracts/administrators'
import { showFieldErrors } from '../../lib/field-errors'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/text-field'
import { givePassword } from './api'

type PasswordDialogProps = { user: { id: number; username: string }; onClose: () => void }

/** A new password for somebody else, who then signs in again everywhere. */
export const PasswordDialog = ({ user, onClose }: PasswordDialogProps) => {
  const id = useId()
  const giving = useMutation(givePassword)
  const form = useForm({ resolver: zodResolver(newPassword), defaultValues: { password: '' } })
  const save = form.handleSubmit(async ({ password }) => {
    try {
      await giving.mutateAsync({ id: user.id, password })
      adminToast({ title: 'Password updated successfully' })
      onClose()
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to update password')
    }
  })
  const { errors, isSubmitting } = form.formState
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change Password"
      description={`The old password of ${user.username} stops working, and they are signed out everywhere.`}
      actions={
        <>
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={isSubmitting} busyLabel="Saving...">
            Change Password
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={save}>
        <TextField
          {...form.register('password')}
          label="New Password"
          type="password"
          autoComplete="new-password"
          maxLength={200}
          error={errors.password?.message}
        />
      </form>
    </Dialog>
  )
}
