import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { newPassword } from '#contracts/administrators'
import { adminToast } from '../../lib/toast'
import { tellFailure } from '../../lib/told'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { useSchemaForm } from '../../ui/form'
import { TextField } from '../../ui/text-field'
import { givePassword } from './api'

type PasswordDialogProps = { user: { id: number; username: string }; onClose: () => void }

/** A new password for somebody else, who then signs in again everywhere. */
export const PasswordDialog = ({ user, onClose }: PasswordDialogProps) => {
  const id = useId()
  const giving = useMutation(givePassword)
  const form = useSchemaForm({
    schema: newPassword,
    defaultValues: { password: '' },
    onSubmit: async ({ password }) => {
      await giving.mutateAsync({ id: user.id, password })
      adminToast({ title: 'Password updated successfully' })
      onClose()
    },
    onFailure: (error) => tellFailure(error, 'Failed to update password'),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change Password"
      description={`The old password of ${user.username} stops working, and they are signed out everywhere.`}
      actions={
        <>
          <Button variant="secondary" disabled={form.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={form.busy} busyLabel="Saving...">
            Change Password
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={form.submit}>
        <TextField
          {...form.register('password')}
          label="New Password"
          type="password"
          autoComplete="new-password"
          maxLength={200}
          error={form.errorOf('password')}
        />
      </form>
    </Dialog>
  )
}
