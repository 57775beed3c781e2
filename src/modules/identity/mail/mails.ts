/** A message as the outbox keeps it: plain text. */
export type Mail = { to: string; subject: string; text: string; replyTo?: string }

const letter = (name: string, paragraphs: string[], schoolName: string) =>
  [`Dear ${name},`, ...paragraphs, `Kind regards,\n${schoolName}`].join('\n\n') + '\n'

/** Asks the owner of a new e-mail address to follow the signed link. `hours` until the link expires. */
export const verificationMail = (about: {
  to: string
  name: string
  link: string
  hours: number
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Please confirm your email address for ${about.schoolName}`,
  text: letter(
    about.name,
    [
      `please confirm that this is your email address by opening this link within ${about.hours} hours:`,
      about.link,
      'If you did not register with us, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

/** Carries a temporary password; the only place where it is written down, until the mail is sent. */
export const temporaryPasswordMail = (about: {
  to: string
  name: string
  username: string
  password: string
  hours: number
  publicUrl: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Your temporary password for ${about.schoolName}`,
  text: letter(
    about.name,
    [
      'somebody, we hope you, asked for a new password for your account.',
      `Username: ${about.username}\nTemporary password: ${about.password}`,
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
  name: string
  what: 'email address' | 'phone number'
  by: 'owner' | 'school'
  publicUrl: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `The ${about.what} of your account at ${about.schoolName} was changed`,
  text: letter(
    about.name,
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

/** A message from another part of the service, as a letter. */
export const messageMail = (about: {
  to: string
  name: string
  subject: string
  text: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: about.subject,
  text: letter(about.name, [about.text], about.schoolName),
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
