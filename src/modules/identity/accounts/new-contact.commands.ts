import type { Ports } from '#platform/ports'
import type { Post } from '#modules/messaging/index'
import { newContactMail } from '../mails'
import type { VerifyingMail } from '../sign-in/email-verification.commands'
import type { Account } from './account'

type Needs = Ports & Pick<VerifyingMail, 'verification'>

/** The old address hears of a change, so that its owner can object; a new one is to be verified. `by`: who changed it. */
export const tellOfNewContact = async (
  needs: Needs,
  { before, after, by }: { before: Account; after: Account; by: 'owner' | 'school' },
  post: Post,
): Promise<void> => {
  const { schoolName, publicUrl } = needs
  if (before.email !== null) {
    const what = after.email === before.email ? 'phone number' : 'email address'
    const mail = newContactMail({ to: before.email, recipient: before, what, by, publicUrl, schoolName })
    await post({ ...mail, purpose: 'account' }, { userId: before.id })
  }
  if (after.email !== before.email) await needs.verification.askToVerify(after, post)
}
