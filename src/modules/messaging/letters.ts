import type { UserMessage } from '#kernel/user-message'
import type { Addressee } from './needs'

/** A message as the outbox keeps it: plain text. */
export type Mail = { to: string; subject: string; text: string; replyTo?: string }

/**
 * Whom a mail is for. Until an address was verified its owner may be a stranger to whoever typed it: mails to it hold no
 * text that people typed, no name and no username either.
 */
export type Recipient = Pick<Addressee, 'name' | 'username' | 'emailVerifiedAt'>

export const isProven = ({ emailVerifiedAt }: Pick<Recipient, 'emailVerifiedAt'>) => emailVerifiedAt !== null

/** How a letter begins. */
export const salutation = (recipient: Recipient) =>
  isProven(recipient) ? `Dear ${recipient.name},` : 'Good day,'

/** A letter in plain text, signed by the school. */
export const letter = (greeting: string, paragraphs: string[], schoolName: string) =>
  [greeting, ...paragraphs, `Kind regards,\n${schoolName}`].join('\n\n') + '\n'

/** A message from another part of the service, as a letter that leads to the portal. */
export const messageMail = (about: {
  to: string
  recipient: Recipient
  message: UserMessage
  publicUrl: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: about.message.subject,
  text: letter(
    salutation(about.recipient),
    [isProven(about.recipient) ? about.message.text : about.message.bareText, `Log in at ${about.publicUrl}`],
    about.schoolName,
  ),
})

/** What somebody wrote in the contact dialog, for the school's support address; an answer goes to the sender. */
export const contactMail = (about: {
  to: string
  username: string
  from: { name: string; email: string; message: string }
  schoolName: string
}): Mail => ({
  to: about.to,
  replyTo: about.from.email,
  subject: `Message from ${about.from.name.replace(/\s+/g, ' ')} to ${about.schoolName}`,
  text: `${about.from.name} (username ${about.username}, ${about.from.email}) wrote:\n\n${about.from.message}\n`,
})
