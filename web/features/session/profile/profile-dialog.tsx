import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { BodyOf } from '#contracts/endpoint'
import { updateProfile, type User } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { dateAndTime } from '../../../lib/school-moment'
import { toast } from '../../../lib/toast'
import { studentsQuery } from '../../../queries/identity'
import { Breakable, Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Dialog, DialogFoot } from '../../../ui/dialog'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { QueryResult } from '../../../ui/query-result'
import {
  notifyNotSaved,
  saveProfile,
  leaveSession,
  sessionsQuery,
  becomeTeacher,
  sendLinkAgain,
} from '../api'
import { ContactFields } from '../contact-fields'
import { Messages, messagesId } from './messages'
import { OwnData } from './own-data'
import { SecondFactor } from './second-factor'

type ProfileDialogProps = { open: boolean; onClose: () => void; user: User }

/** Profile, sessions, messages and second factor. */
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
    {user.role === 'admin' ? null : <OwnData />}
    {user.role === 'parent' ? <BecomeTeacher /> : null}
  </Dialog>
)

const ProfileForm = ({ user, onSaved }: { user: User; onSaved: () => void }) => {
  const formId = useId()
  const saving = useMutation(saveProfile)
  return (
    <Form
      id={formId}
      schema={updateProfile.body}
      defaultValues={{
        name: user.name,
        email: user.email ?? '',
        phone: user.phone ?? '',
        currentPassword: '',
        newPassword: '',
        confirmPassword: '',
        version: user.version,
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
        <FormField
          name="newPassword"
          label="New Password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${user.role === 'admin' ? 10 : 6} characters`}
        />
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
      <DialogFoot>
        <SubmitButton form={formId}>Save Changes</SubmitButton>
      </DialogFoot>
    </Form>
  )
}

const showMessages = () => {
  const heading = document.getElementById(messagesId)
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'start' })
}

/** Jumps from the number to its verification. */
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
    return 'For receipts and a forgotten password. Needed to pay by card or bank, unless you verify your phone.'
  return email === null && contactNeeded === null
    ? 'Not needed to place an order: the school reaches you by SMS.'
    : 'For receipts and a forgotten password. Needed to pay by card or bank.'
}

/** Current password only where needed, a new one only if given. */
const profileBody = (
  { currentPassword, newPassword, confirmPassword, ...rest }: BodyOf<typeof updateProfile>,
  user: User,
): BodyOf<typeof updateProfile> => {
  if (newPassword) return { ...rest, currentPassword, newPassword, confirmPassword }
  const sameContact = rest.email === (user.email ?? '') && rest.phone === (user.phone ?? '')
  return sameContact ? rest : { ...rest, currentPassword }
}

export const OpenSessions = () => {
  const sessions = useQuery(sessionsQuery)
  const leaving = useMutation({
    ...leaveSession,
    onError: (error) =>
      toast({ title: 'Error', text: messageOf(error, 'The session could not be ended'), kind: 'error' }),
  })
  return (
    <section aria-labelledby="open-sessions" className="mt-5 border-t border-line pt-4">
      <h3 id="open-sessions" className="font-semibold">
        Where you are logged in
      </h3>
      <QueryResult query={sessions} failure="Failed to fetch where you are logged in">
        {(open) => (
          <ul className="divide-y divide-line">
            {open.map(({ id, current, device, lastUsedAt }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
                <span className="min-w-0 flex-1 basis-[10rem]">
                  <span className="block break-words">{device}</span>
                  <span className="block text-sm text-muted">Last used {dateAndTime(lastUsedAt)}</span>
                </span>
                {current ? (
                  <Badge tone="info">This device</Badge>
                ) : (
                  <Button
                    variant="secondary"
                    size="sm"
                    className="shrink-0 whitespace-nowrap"
                    aria-label={`Log out ${device}, last used ${dateAndTime(lastUsedAt)}`}
                    onClick={() => leaving.mutate({ params: { id } })}
                  >
                    Log out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </section>
  )
}

/** The owner must log in again afterwards. */
export const BecomeTeacher = () => {
  const [asked, setAsked] = useState(false)
  const children = useChildren()
  const converting = useMutation({
    ...becomeTeacher,
    onSuccess: (...outcome) => {
      toast({
        title: 'Account Converted',
        text: 'Your account has been converted to a teacher account. Please log in again.',
      })
      becomeTeacher.onSuccess?.(...outcome)
    },
    onError: (error) => {
      setAsked(false)
      toast({
        title: 'Error',
        text: messageOf(error, 'Conversion failed', 'Failed to convert account'),
        kind: 'error',
      })
    },
  })
  return (
    <div className="mt-5 flex flex-col items-start gap-2 border-t border-line pt-4">
      <p className="text-sm text-muted">Do you work at the school and order lunch for yourself?</p>
      <Button variant="secondary" onClick={() => setAsked(true)}>
        Convert to Teacher Account
      </Button>
      <ConfirmDialog
        open={asked}
        title="Convert to a teacher account?"
        confirm="Convert Account"
        busy={converting.isPending}
        onConfirm={() => converting.mutate()}
        onClose={() => setAsked(false)}
      >
        You will be logged out and must log in again. A teacher account orders for its owner only.{' '}
        {whatIsLost(children)}
      </ConfirmDialog>
    </div>
  )
}

/** Null while unknown. */
const useChildren = (): string[] | null => {
  const students = useQuery(studentsQuery).data
  return students?.filter(({ grade }) => grade !== 'teacher').map(({ name }) => name) ?? null
}

const whatIsLost = (children: readonly string[] | null): string => {
  if (children?.length === 0) return 'This is final.'
  const names = children
    ? new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(children)
    : 'your children'
  return `You can no longer order for ${names} with it. This is final. To order for yourself beside your children, keep this account and choose “I work at this school” under Students.`
}

/** With a button to resend the link. */
export const UnverifiedEmail = ({ email }: { email: string }) => {
  const sending = useMutation(sendLinkAgain)
  const send = () =>
    sending.mutate(
      {},
      {
        onSuccess: () =>
          toast({ title: 'Link sent', text: `Please open the link in the email to ${email}.` }),
        onError: (error) =>
          toast({ title: 'Link not sent', text: messageOf(error, 'Please try again.'), kind: 'error' }),
      },
    )
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
      <p className="text-muted">
        <Breakable text={email} /> is not confirmed yet.
      </p>
      <Button variant="secondary" size="sm" busy={sending.isPending} onClick={send}>
        Send the Link Again
      </Button>
    </div>
  )
}
