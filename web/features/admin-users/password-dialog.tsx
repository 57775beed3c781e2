import { useMutation } from '@tanstack/react-query'
import { newPassword } from '#contracts/administrators'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { givePassword } from './api'

type PasswordDialogProps = { user: { id: number; username: string }; onClose: () => void }

/** A new password for somebody else, who then signs in again everywhere. */
export const PasswordDialog = ({ user, onClose }: PasswordDialogProps) => {
  const giving = useMutation(givePassword)
  return (
    <FormDialog
      title="Change Password"
      description={`The old password of ${user.username} stops working, and they are signed out everywhere.`}
      submit="Change Password"
      busyLabel="Saving..."
      schema={newPassword}
      defaultValues={{ password: '' }}
      onSave={(body) => giving.mutateAsync({ params: { id: user.id }, body })}
      done="Password updated successfully"
      failed="Failed to update password"
      onClose={onClose}
    >
      <FormField
        name="password"
        label="New Password"
        type="password"
        autoComplete="new-password"
        maxLength={200}
      />
    </FormDialog>
  )
}
