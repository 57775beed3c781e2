import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Tells how the confirmation link of an e-mail ended, then clears the query string. */
export const useEmailVerification = (): void => {
  const [query, setQuery] = useSearchParams()
  useEffect(() => {
    if (query.has('emailVerified'))
      void import('../features/session/email-verification').then(({ tellVerification }) => {
        tellVerification(query)
        setQuery({}, { replace: true })
      })
  }, [query, setQuery])
}
