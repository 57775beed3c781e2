import { useMutation } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import { updateProfile, type User } from '#contracts/identity'
import { toast } from '../../../lib/toast'
import { Breakable } from '../../../ui/breakable'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { notifyNotSaved, saveProfile } from '../api'
import { ContactFields } from '../contact-fields'
import { BecomeTeacher } from './become-teacher'
import { Messages, messagesId } from './messages/messages'
import { OpenSessions } from './open-sessions'
import { SecondFactor } from './second-factor'
import { UnverifiedEmail } from './unverified-email'

type ProfileDialogProps = { open: boolean; onClose: () => void; user: User }

/**
 * Name, contact and password of whoever is signed in, where else they are, how the school writes to a family, and an
 * administrator's second factor.
 */
export const ProfileDialog = ({ open, onClose, user }: ProfileDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Your profile"
    description={
      <>
        Username: <Breakable text={user.username} />
      </>
    }
  >
    <ProfileForm user={user} onSaved={onClose} />
    {user.role === 'admin' ? <SecondFactor user={user} /> : <Messages user={user} />}
    <OpenSessions />
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
        await saving.mutateAsync(profileBody(typed, user))
        toast({ title: 'Profile updated successfully' })
        onSaved()
      }}
      failed={notifyNotSaved}
      className="flex flex-col gap-4"
    >
      <FormField name="name" label="Name" autoComplete="name" />
      <ContactFields
        email="Email (Optional)"
        phone="Phone (Optional)"
        emailHint={emailHints(user)}
        belowPhone={
          user.phone && user.contactNeeded === 'email_or_phone' ? <ToMessages phone={user.phone} /> : null
        }
        belowEmail={user.email && !user.emailVerified ? <UnverifiedEmail email={user.email} /> : null}
      />
      <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
        <legend className="px-1 text-sm font-semibold">Change password (optional)</legend>
        <FormField name="newPassword" label="New Password" type="password" autoComplete="new-password" />
        <FormField
          name="confirmPassword"
          label="Confirm New Password"
          type="password"
          autoComplete="new-password"
        />
      </fieldset>
      <FormField
        name="currentPassword"
        label="Current Password"
        type="password"
        autoComplete="current-password"
        hint="Needed for another email, phone or password."
      />
      <SubmitButton>Save Changes</SubmitButton>
    </Form>
  )
}

const showMessages = () => {
  const heading = document.getElementById(messagesId)
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'start' })
}

/** Leads from the number to where it is verified, further down. */
const ToMessages = ({ phone }: { phone: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
    <p className="text-muted">{phone} is not verified yet.</p>
    <Button variant="secondary" size="sm" onClick={showMessages}>
      Verify Your Phone
    </Button>
  </div>
)

const emailHints = ({ role, contactNeeded, email }: User): string => {
  if (role === 'admin') return 'Temporary passwords and warnings go there.'
  if (contactNeeded === 'email_or_phone')
    return 'Needed before you can place an order, unless you verify your phone.'
  return email === null && contactNeeded === null
    ? 'Not needed to place an order: the school reaches you by SMS.'
    : 'Needed before you can place an order.'
}

/** The profile as it is sent: the current password only for what needs it, the new one only when there is one. */
const profileBody = (
  { currentPassword, newPassword, confirmPassword, ...rest }: BodyOf<typeof updateProfile>,
  user: User,
): BodyOf<typeof updateProfile> => {
  if (newPassword) return { ...rest, currentPassword, newPassword, confirmPassword }
  const sameContact = rest.email === (user.email ?? '') && rest.phone === (user.phone ?? '')
  return sameContact ? rest : { ...rest, currentPassword }
}
