import type { Post } from '#modules/messaging/index'
import { letter, salutation, type Mail, type Recipient } from '#modules/messaging/published'
import type { IdentityNeeds } from '../ports'
import type { Account } from '../users/account.decide'
import { verificationCommands } from './registration.commands'

/** The old address hears of a change, so that its owner can object; a new one is to be verified. `by`: who changed it. */
export const tellOfNewContact = async (
  needs: IdentityNeeds,
  { before, after, by }: { before: Account; after: Account; by: 'owner' | 'school' },
  post: Post,
): Promise<void> => {
  const { schoolName, publicUrl } = needs
  if (before.email !== null) {
    const what = after.email === before.email ? 'phone number' : 'email address'
    const mail = newContactMail({ to: before.email, recipient: before, what, by, publicUrl, schoolName })
    await post({ ...mail, purpose: 'account' }, { userId: before.id })
  }
  if (after.email !== before.email) await verificationCommands(needs).askToVerify(after, post)
}

/** Goes to the old address and names neither. */
export const newContactMail = (about: {
  to: string
  recipient: Recipient
  what: 'email address' | 'phone number'
  by: 'owner' | 'school'
  publicUrl: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `The ${about.what} of your account at ${about.schoolName} was changed`,
  text: letter(
    salutation(about.recipient),
    [
      about.by === 'owner'
        ? `the ${about.what} of your account was changed by somebody who gave your password.`
        : `the ${about.what} of your account was changed by the school.`,
      `If that was not you, or you did not ask for it, write to the school at once and log in at ${about.publicUrl} ` +
        'to choose a new password.',
    ],
    about.schoolName,
  ),
})
