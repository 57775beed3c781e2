import { isProven, letter, salutation, type Mail, type Recipient } from '#modules/messaging/published'

/** Signed link, to be confirmed while signed in to that account; `hours` until it expires. */
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

/** Names nobody: the address may be mistyped. `days` until it expires. */
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

/** The only copy of the password until sent. */
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

/** To the old address; contains neither address. */
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
