import type { UserMessage } from '#kernel/user-message'
import type { Account } from '../accounts/account'

/** A message as the outbox keeps it: plain text. */
export type Mail = { to: string; subject: string; text: string; replyTo?: string }

/**
 * Whom a mail is for. Until an address was verified its owner may be a stranger to whoever typed it: mails to it hold no
 * text that people typed, no name and no username either.
 */
export type Recipient = Pick<Account, 'name' | 'username' | 'emailVerifiedAt'>

const isProven = ({ emailVerifiedAt }: Pick<Recipient, 'emailVerifiedAt'>) => emailVerifiedAt !== null

const salutation = (recipient: Recipient) => (isProven(recipient) ? `Dear ${recipient.name},` : 'Good day,')

const letter = (greeting: string, paragraphs: string[], schoolName: string) =>
  [greeting, ...paragraphs, `Kind regards,\n${schoolName}`].join('\n\n') + '\n'

/** Asks the owner of a new e-mail address to open the signed link and press its button, signed in to the account that asked. `hours` until the link expires. */
export const verificationMail = (about: {
  to: string
  link: string
  hours: number
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Please confirm your email address for ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      `please confirm that this is your email address: open this link within ${about.hours} hours, log in and press the button.`,
      about.link,
      'If you did not register with us, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

/**
 * Asks whoever has this address to become a child's second guardian. It names nobody: the parent typed the address, and may have
 * mistyped it. `days` until the link expires.
 */
export const guardianInviteMail = (about: {
  to: string
  link: string
  days: number
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `You are invited to order school lunches at ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      'a parent at our school asks you to be a second guardian of their child: then you can order lunches for the child, see ' +
        'them and cancel them. Whoever orders a lunch pays for it.',
      `To see who asks and to accept, open this link within ${about.days} days, and log in or register with this email address:`,
      about.link,
      'If you do not know what this is about, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

/** Carries a temporary password; the only place where it is written down, until the mail is sent. */
export const temporaryPasswordMail = (about: {
  to: string
  recipient: Recipient
  password: string
  hours: number
  publicUrl: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Your temporary password for ${about.schoolName}`,
  text: letter(
    salutation(about.recipient),
    [
      'somebody, we hope you, asked for a new password for your account.',
      [
        ...(isProven(about.recipient) ? [`Username: ${about.recipient.username}`] : []),
        `Temporary password: ${about.password}`,
      ].join('\n'),
      `Log in with it at ${about.publicUrl} within ${about.hours} hours and choose a new password at once. ` +
        'Your current password stays active until then.',
      'If you did not ask for this, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

/** Tells the address an account had that its `what` is another one now. It names neither the old nor the new one. */
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

/** Brings the code by which a family of the school's roll comes to its children; it names none of them. */
export const claimCodeMail = (about: {
  to: string
  code: string
  link: string
  days: number
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Your family's code for school lunches at ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      'with this code you order school lunches for your children:',
      about.code,
      `Open ${about.link} within ${about.days} days, and register or log in. The code can be used once.`,
      'If you have no child at our school, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

/** Tells the address that the school's list has that children of it are on an account now; it names neither. */
export const childrenClaimedMail = (about: {
  to: string
  count: number
  publicUrl: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Your ${about.count === 1 ? 'child was' : 'children were'} added to an account at ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      `the school's list has this email address for ${about.count === 1 ? 'a child' : `${about.count} children`} who ` +
        'can now order school lunches with an account, by the code of your family or by the school office.',
      'If that was you or somebody of your family, you need to do nothing.',
      `If it was not, tell the school at once. Its contacts stand at ${about.publicUrl}`,
    ],
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
