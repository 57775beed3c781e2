import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { FormProvider, useForm } from 'react-hook-form'
import { updateProfile, type User } from '#contracts/identity'
import * as z from 'zod/mini'
import type { BodyOf } from '#contracts/endpoint'
import { messageOf } from '../../../lib/call'
import { showFieldErrors } from '../../../lib/field-errors'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
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
  const form = useForm({ resolver: zodResolver(profileForm), defaultValues: profileValues(user) })
  const save = form.handleSubmit(async (values) => {
    try {
      await saving.mutateAsync(profileBody(values))
      toast({ title: 'Profile updated successfully' })
      onSaved()
    } catch (error) {
      if (!showFieldErrors(form, error))
        toast({ title: 'Update Failed', text: messageOf(error, 'Please try again.'), kind: 'error' })
    }
  })
  const { errors, isSubmitting } = form.formState
  return (
    <FormProvider {...form}>
      <form onSubmit={save} noValidate className="flex flex-col gap-4">
        <TextField label="Name" autoComplete="name" error={errors.name?.message} {...form.register('name')} />
        <ContactFields email="Email (Optional)" phone="Phone (Optional)" />
        <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
          <legend className="px-1 text-sm font-semibold">Change password (optional)</legend>
          <TextField
            label="Current Password"
            type="password"
            autoComplete="current-password"
            error={errors.currentPassword?.message}
            {...form.register('currentPassword')}
          />
          <TextField
            label="New Password"
            type="password"
            autoComplete="new-password"
            error={errors.newPassword?.message}
            {...form.register('newPassword')}
          />
          <TextField
            label="Confirm New Password"
            type="password"
            autoComplete="new-password"
            error={errors.confirmPassword?.message}
            {...form.register('confirmPassword')}
          />
        </fieldset>
        <Button type="submit" busy={isSubmitting}>
          Save Changes
        </Button>
      </form>
    </FormProvider>
  )
}

/** The profile as it is typed: the contract's, every field filled. */
const profileForm = updateProfile.body

type ProfileValues = z.input<typeof profileForm>

const profileValues = (user: User): ProfileValues => ({
  name: user.name,
  email: user.email ?? '',
  phone: user.phone ?? '',
  currentPassword: '',
  newPassword: '',
  confirmPassword: '',
})

/** The profile as it is sent: without a new password all three password fields are dropped. */
const profileBody = ({
  currentPassword,
  newPassword,
  confirmPassword,
  ...rest
}: ProfileValues): BodyOf<typeof updateProfile> =>
  newPassword ? { ...rest, currentPassword, newPassword, confirmPassword } : rest
