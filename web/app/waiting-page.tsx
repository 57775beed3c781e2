import { useQuery } from '@tanstack/react-query'
import { quietTries, userQuery } from '../features/session/current-user'
import { useIsLater } from '../lib/use-is-later'
import { PageSpinner, Spinner } from '../ui/spinner'

const patienceMs = 5_000

/** Until it is known who is signed in; on a bad line it says what it waits for. */
export const WaitingPage = () => {
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
