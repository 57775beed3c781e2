import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { toast } from '../lib/toast'

const confirmed = {
  title: 'Email Verified Successfully',
  text: 'Your email address has been confirmed. You can now access all features.',
}
const failedText = 'We could not confirm your email address. The link may be too old or used already.'

/** Tells how the confirmation link of an e-mail ended, then clears the query string. */
export const useEmailVerification = (): void => {
  const [query, setQuery] = useSearchParams()
  const outcome = query.get('emailVerified')
  useEffect(() => {
    if (outcome === 'success') toast(confirmed)
    if (outcome === 'error')
      toast({ title: 'Email Verification Failed', text: query.get('message') || failedText, kind: 'error' })
    if (outcome !== null) setQuery({}, { replace: true })
  }, [outcome, query, setQuery])
}
