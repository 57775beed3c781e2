import { contactMail } from '#modules/messaging/letters'
import { newContactMail } from '#modules/identity/accounts/profile.routes'
import { temporaryPasswordMail } from '#modules/identity/sign-in/password-reset.job'
import { verificationMail } from '#modules/identity/accounts/registration.commands'

const schoolName = 'Baobab School'
const mwila = { name: 'Mwila Banda', username: 'mwila', emailVerifiedAt: new Date('2026-09-01T08:00:00Z') }

test('the verification mail carries the link and how long it lasts', () => {
  const mail = verificationMail({
    to: 'mwila@example.com',
    link: 'https://lunch.example.com/verify-email?token=x.y',
    hours: 72,
    schoolName,
  })
  expect(mail.to).toBe('mwila@example.com')
  expect(mail.subject).toBe('Please confirm your email address for Baobab School')
  expect(mail.text).toMatch(/^Good day,\n/)
  expect(mail.text).toContain('\nhttps://lunch.example.com/verify-email?token=x.y\n')
  expect(mail.text).toContain('within 72 hours')
  expect(mail.text).toMatch(/Kind regards,\nBaobab School\n$/)
})

test('the temporary password mail says which account, which password and what then', () => {
  const mail = temporaryPasswordMail({
    to: 'mwila@example.com',
    recipient: mwila,
    password: 'k7fq-m2xw-9hte',
    hours: 24,
    publicUrl: 'https://lunch.example.com',
    schoolName,
  })
  expect(mail.subject).not.toContain('k7fq')
  expect(mail.text).toContain('Dear Mwila Banda,')
  expect(mail.text).toContain('Username: mwila\nTemporary password: k7fq-m2xw-9hte')
  expect(mail.text).toContain('Log in with it at https://lunch.example.com within 24 hours')
})

test('an address that was not verified gets no name and no username', () => {
  const about = { to: 'victim@example.com', recipient: { ...mwila, emailVerifiedAt: null }, schoolName }
  const publicUrl = 'https://lunch.example.com'
  const mails = [
    temporaryPasswordMail({ ...about, password: 'k7fq-m2xw-9hte', hours: 24, publicUrl }),
    newContactMail({ ...about, what: 'phone number', by: 'owner', publicUrl }),
  ]
  for (const { subject, text } of mails) {
    expect(`${subject}\n${text}`).not.toMatch(/mwila/i)
    expect(text).toMatch(/^Good day,\n/)
  }
  expect(mails[0]!.text).toContain('\n\nTemporary password: k7fq-m2xw-9hte\n\n')
})

test('a contact mail is answered to its sender, and a name cannot add lines to its header', () => {
  const mail = contactMail({
    to: 'office@example.com',
    username: 'mwila',
    from: { name: 'Mwila\r\nBcc: x', email: 'mwila@example.com', message: 'Is there soup on Friday?' },
    schoolName,
  })
  expect(mail).toMatchObject({ to: 'office@example.com', replyTo: 'mwila@example.com' })
  expect(mail.subject).toBe('Message from Mwila Bcc: x to Baobab School')
  expect(mail.text).toContain('(username mwila, mwila@example.com) wrote:\n\nIs there soup on Friday?\n')
})
