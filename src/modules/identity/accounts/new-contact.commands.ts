import type { Ports } from '#platform/ports'
import type { Post } from '#modules/messaging/index'
import { newContactMail } from '../mails'
import type { VerifyingMail } from '../sign-in/email-verification.commands'
import type { Account } from './account'

type Needs = Ports & Pick<VerifyingMail, 'verification'>

/**
 * After an e-mail address or a phone has changed: the address before hears of it, so that its owner can object, and a
 * new one is asked to be verified. `by` says who changed it.
 */
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
