import { useMutation } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import { updateProfile, type User } from '#contracts/identity'
import { toast } from '../../../lib/toast'
import { Dialog } from '../../../ui/dialog'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { notifyNotSaved, saveProfile } from '../api'
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
  return (
    <Form
      schema={updateProfile.body}
      defaultValues={{
        name: user.name,
        email: user.email ?? '',
        phone: user.phone ?? '',
        currentPassword: '',
        newPassword: '',
        confirmPassword: '',
      }}
      onSave={async (typed) => {
        await saving.mutateAsync(profileBody(typed))
        toast({ title: 'Profile updated successfully' })
        onSaved()
      }}
      failed={notifyNotSaved}
      className="flex flex-col gap-4"
    >
      <FormField name="name" label="Name" autoComplete="name" />
      <ContactFields email="Email (Optional)" phone="Phone (Optional)" />
      <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
        <legend className="px-1 text-sm font-semibold">Change password (optional)</legend>
        <FormField
          name="currentPassword"
          label="Current Password"
          type="password"
          autoComplete="current-password"
        />
        <FormField name="newPassword" label="New Password" type="password" autoComplete="new-password" />
        <FormField
          name="confirmPassword"
          label="Confirm New Password"
          type="password"
          autoComplete="new-password"
        />
      </fieldset>
      <SubmitButton>Save Changes</SubmitButton>
    </Form>
  )
}

/** The profile as it is sent: without a new password all three password fields are dropped. */
const profileBody = ({
  currentPassword,
  newPassword,
  confirmPassword,
  ...rest
}: BodyOf<typeof updateProfile>): BodyOf<typeof updateProfile> =>
  newPassword ? { ...rest, currentPassword, newPassword, confirmPassword } : rest
