import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Tells how the confirmation link of an e-mail ended, then clears the query string. */
export const useEmailVerification = (): void => {
  const [query, setQuery] = useSearchParams()
  useEffect(() => {
    const tell = async () => {
      const { tellVerification } = await import('../features/session/email-verification')
      tellVerification(query)
      setQuery({}, { replace: true })
    }
    if (query.has('emailVerified')) void tell()
  }, [query, setQuery])
}
