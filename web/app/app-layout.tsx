import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Outlet, useMatch, useSearchParams } from 'react-router-dom'
import { onSignedInElsewhere, onSignedOutElsewhere } from '../features/session/api'
import { lazyComponent } from '../lib/lazy'
import { paths } from '../lib/paths'
import { toast } from '../lib/toast'
import { useIsLater } from '../lib/use-time'
import { replaceUser, sessionEndedQuery, userQuery, quietTries } from '../queries/session'
import { PageSpinner, Spinner } from '../ui/query-result'

/** Shows a spinner until the session and the page's code are loaded. The hatch loads both itself, as it also opens offline. */
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
      <EndedSession />
    </Suspense>
  )
}

const SignInAgain = lazyComponent(() =>
  import('../features/session/sign-in/sign-in-again').then((m) => m.SignInAgain),
)

const EndedSession = () => {
  const client = useQueryClient()
  const user = useQuery({ ...userQuery, enabled: false }).data
  const isEnded = useQuery(sessionEndedQuery).data
  if (!isEnded || !user) return null
  return (
    <Suspense>
      <SignInAgain user={user} onClose={() => client.setQueryData(sessionEndedQuery.queryKey, false)} />
    </Suspense>
  )
}

/** Announces the outcome of an email confirmation link, then clears the query string. */
const useEmailVerification = () => {
  const [query, setQuery] = useSearchParams()
  useEffect(() => {
    if (!query.has('emailVerified')) return
    notifyVerification(query)
    setQuery({}, { replace: true })
  }, [query, setQuery])
}

/** Signs out in all tabs, also when another user signs in. */
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
 * Registers the service worker, which lets people install the application. Rendered with the first page so that its downloads never delay
 * it.
 */
const ServiceWorker = () => {
  useEffect(() => {
    // Fails without TLS or where the device's owner forbids it: then there is no offline page.
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

/** Wording of parent-and-teacher.md section 2. */
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

/** After some failed tries it names the reason. */
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
