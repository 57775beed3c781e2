import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Outlet, useMatch, useSearchParams } from 'react-router-dom'
import { replaceUser, userQuery, quietTries } from '../queries/session'
import { onSignedInElsewhere, onSignedOutElsewhere } from '../features/session/api'
import { paths } from '../lib/paths'
import { PageSpinner, Spinner } from '../ui/query-result'
import { toast } from '../lib/toast'
import { useIsLater } from '../lib/use-time'

/**
 * Around every page: a spinner until it is known who is signed in, and until the page's code is loaded. The hatch asks
 * that itself, as it also opens where nobody answers.
 */
export const AppLayout = () => {
  const atTheHatch = useMatch(paths.serve) !== null
  const user = useQuery({ ...userQuery, enabled: !atTheHatch }).data
  useEmailVerification()
  useSignOutElsewhere()
  if (user === undefined && !atTheHatch) return <WaitingPage />
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

/** Whoever signs out in one tab is signed out in all, and so is whoever was there before another who signs in. */
const useSignOutElsewhere = () => {
  const client = useQueryClient()
  useEffect(() => onSignedOutElsewhere(() => replaceUser(client, null)), [client])
  useEffect(
    () =>
      onSignedInElsewhere((userId) => {
        const user = client.getQueryData(userQuery.queryKey)
        if (!user || user.id === userId) return
        replaceUser(client, null)
        void client.invalidateQueries({ queryKey: userQuery.queryKey })
      }),
    [client],
  )
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

const confirmed = {
  title: 'Email Verified Successfully',
  text: 'Your email address has been confirmed. You can now access all features.',
}
const unknown = 'We could not confirm your email address. The link may be too old or used already.'
const failures = new Map([
  ['expired', 'This link has expired. You can have another one sent in your profile.'],
  ['used', 'This link belongs to an earlier email address. Please use the newest link we sent you.'],
  [
    'other',
    'This link belongs to another account. Log in to the account that asked for it and open the link again.',
  ],
  ['invalid', 'This link is not complete. Please open it from the email itself.'],
])

/** Tells how the confirmation link of an e-mail ended (parent-and-teacher.md section 2). */
const notifyVerification = (query: URLSearchParams): void => {
  const outcome = query.get('emailVerified')
  if (outcome === 'success') toast(confirmed)
  if (outcome === 'error')
    toast({
      title: 'Email Verification Failed',
      text: failures.get(query.get('message') ?? '') ?? unknown,
      kind: 'error',
    })
}

const patienceMs = 5_000

/** Until it is known who is signed in; on a bad line it says what it waits for. */
const WaitingPage = () => {
  const { failureCount } = useQuery({ ...userQuery, enabled: false })
  const isLate = useIsLater(patienceMs)
  if (!isLate && failureCount <= quietTries) return <PageSpinner />
  return (
    <div className="flex min-h-dvh flex-col items-center justify-center gap-3 p-4 text-center text-brand-700">
      <Spinner />
      <output className="font-semibold">No connection. Trying again …</output>
    </div>
  )
}
