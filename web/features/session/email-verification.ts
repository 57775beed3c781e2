import { toast } from '../../lib/toast'

const confirmed = {
  title: 'Email Verified Successfully',
  text: 'Your email address has been confirmed. You can now access all features.',
}
const unknown = 'We could not confirm your email address. The link may be too old or used already.'
const failures = new Map([
  ['expired', 'This link has expired. Save your email address in your settings once more to get a new one.'],
  ['used', 'This link belongs to an earlier email address. Please use the newest link we sent you.'],
  ['invalid', 'This link is not complete. Please open it from the email itself.'],
])

/** Tells how the confirmation link of an e-mail ended (parent-and-teacher.md section 2). */
export const notifyVerification = (query: URLSearchParams): void => {
  const outcome = query.get('emailVerified')
  if (outcome === 'success') toast(confirmed)
  if (outcome === 'error')
    toast({
      title: 'Email Verification Failed',
      text: failures.get(query.get('message') ?? '') ?? unknown,
      kind: 'error',
    })
}
