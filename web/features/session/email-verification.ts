import { toast } from '../../lib/toast'

const confirmed = {
  title: 'Email Verified Successfully',
  text: 'Your email address has been confirmed. You can now access all features.',
}
const failedText = 'We could not confirm your email address. The link may be too old or used already.'

/** Tells how the confirmation link of an e-mail ended (parent-and-teacher.md section 2). */
export const notifyVerification = (query: URLSearchParams): void => {
  const outcome = query.get('emailVerified')
  if (outcome === 'success') toast(confirmed)
  if (outcome === 'error')
    toast({ title: 'Email Verification Failed', text: query.get('message') || failedText, kind: 'error' })
}
