import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Outlet, useSearchParams } from 'react-router-dom'
import { userQuery } from '../features/session/current-user'
import { notifyVerification } from '../features/session/email-verification'
import { PageSpinner } from '../ui/spinner'

/** Around every page: a spinner until it is known who is signed in, and until the page's code is loaded. */
export const AppLayout = () => {
  const user = useQuery(userQuery).data
  useEmailVerification()
  if (user === undefined) return <PageSpinner />
  return (
    <Suspense fallback={<PageSpinner />}>
      <Outlet />
      <ServiceWorker />
    </Suspense>
  )
}

/** Tells how the confirmation link of an e-mail ended, then clears the query string. */
const useEmailVerification = () => {
  const [query, setQuery] = useSearchParams()
  useEffect(() => {
    if (!query.has('emailVerified')) return
    notifyVerification(query)
    setQuery({}, { replace: true })
  }, [query, setQuery])
}

/**
 * Gives the browser the page to show without a connection, which also lets people install the application. Rendered
 * together with the first page, so that what it fetches never delays that.
 */
const ServiceWorker = () => {
  useEffect(() => {
    // Not on a page without TLS, and not where the owner of the device forbids it: then there is no such page.
    navigator.serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
  }, [])
  return null
}
