import type { UserMessage } from '#kernel/user-message'
import type { Addressee } from './needs'

export type Mail = { to: string; subject: string; text: string; replyTo?: string }

/** An unverified address may be a stranger's: no typed text, names or usernames. */
export type Recipient = Pick<Addressee, 'name' | 'username' | 'emailVerifiedAt'>

export const isProven = ({ emailVerifiedAt }: Pick<Recipient, 'emailVerifiedAt'>) => emailVerifiedAt !== null

export const salutation = (recipient: Recipient) =>
  isProven(recipient) ? `Dear ${recipient.name},` : 'Good day,'

export const letter = (greeting: string, paragraphs: string[], schoolName: string) =>
  [greeting, ...paragraphs, `Kind regards,\n${schoolName}`].join('\n\n') + '\n'

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

/** To support; replies go to the sender. */
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
