import { useMutation } from '@tanstack/react-query'
import { updateProfile, type User } from '#contracts/identity'
import * as z from 'zod/mini'
import type { BodyOf } from '#contracts/endpoint'
import { messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { useSchemaForm } from '../../../ui/form'
import { TextField } from '../../../ui/text-field'
import { saveProfile } from '../api'
import { ContactFields } from '../contact-fields'
import { BecomeTeacher } from './become-teacher'

type ProfileDialogProps = { open: boolean; onClose: () => void; user: User }

/** Name, contact and password of whoever is signed in. */
export const ProfileDialog = ({ open, onClose, user }: ProfileDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Your profile" description={`Username: ${user.username}`}>
    <ProfileForm user={user} onSaved={onClose} />
    {user.role === 'parent' ? <BecomeTeacher /> : null}
  </Dialog>
)

const ProfileForm = ({ user, onSaved }: { user: User; onSaved: () => void }) => {
  const saving = useMutation(saveProfile)
  const form = useSchemaForm({
    schema: profileForm,
    defaultValues: profileValues(user),
    onSubmit: async (values) => {
      await saving.mutateAsync(profileBody(values))
      toast({ title: 'Profile updated successfully' })
      onSaved()
    },
    onFailure: (error) =>
      toast({ title: 'Update Failed', text: messageOf(error, 'Please try again.'), kind: 'error' }),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
      <TextField label="Name" autoComplete="name" error={form.errorOf('name')} {...form.register('name')} />
      <ContactFields form={form} email="Email (Optional)" phone="Phone (Optional)" />
      <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
        <legend className="px-1 text-sm font-semibold">Change password (optional)</legend>
        <TextField
          label="Current Password"
          type="password"
          autoComplete="current-password"
          error={form.errorOf('currentPassword')}
          {...form.register('currentPassword')}
        />
        <TextField
          label="New Password"
          type="password"
          autoComplete="new-password"
          error={form.errorOf('newPassword')}
          {...form.register('newPassword')}
        />
        <TextField
          label="Confirm New Password"
          type="password"
          autoComplete="new-password"
          error={form.errorOf('confirmPassword')}
          {...form.register('confirmPassword')}
        />
      </fieldset>
      <Button type="submit" busy={form.busy}>
        Save Changes
      </Button>
    </form>
  )
}

/** The profile as it is typed: the contract's, every field filled. */
export const profileForm = updateProfile.body

export type ProfileValues = z.input<typeof profileForm>

export const profileValues = (user: User): ProfileValues => ({
  name: user.name,
  email: user.email ?? '',
  phone: user.phone ?? '',
  currentPassword: '',
  newPassword: '',
  confirmPassword: '',
})

/** The profile as it is sent: without a new password all three password fields are dropped. */
export const profileBody = ({
  currentPassword,
  newPassword,
  confirmPassword,
  ...rest
}: ProfileValues): BodyOf<typeof updateProfile> =>
  newPassword ? { ...rest, currentPassword, newPassword, confirmPassword } : rest
