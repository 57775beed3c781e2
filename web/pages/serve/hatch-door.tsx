import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, Link } from 'react-router-dom'
import { currentUser, type User } from '#contracts/identity'
import { hatchUserOnDevice } from '../../features/hatch/device/device-store'
import { offerHatchForHomeScreen, openHatchOffline } from '../../features/hatch/device/this-device'
import { HatchScreen } from '../../features/hatch/hatch-screen'
import { call, CallError } from '../../lib/call'
import { forgetPrivateData } from '../../lib/device-storage'
import { paths } from '../../lib/paths'
import { useIsLater } from '../../lib/use-time'
import { portalQuery, userQuery } from '../../queries/session'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { PageTitle } from '../../ui/page-title'
import { ErrorState, PageSpinner } from '../../ui/query-result'
import { useLeaving } from '../use-leaving'

/** In ms, before the hatch opens from the device. */
const patienceMs = 800

/**
 * Asks until the server itself answers, and on reconnect. No answer, 5xx or a foreign proxy say nothing about the session; 401 and 403 do.
 */
const answeredSessionQuery = queryOptions({
  queryKey: [...userQuery.queryKey, 'answered'],
  queryFn: async ({ client, signal }) => {
    const [user] = await Promise.all([
      call(currentUser, { signal, timeoutMs: 10_000 }).catch(nobodyIfSaid),
      client.ensureQueryData(portalQuery).catch(() => null),
    ])
    client.setQueryData(userQuery.queryKey, user)
    return user
  },
  retry: true,
  retryDelay: 3_000,
  gcTime: 0,
  refetchOnReconnect: 'always',
  networkMode: 'always',
})

const nobodyIfSaid = (error: unknown): null => {
  const isRefused = error instanceof CallError && error.reply && [401, 403].includes(error.status)
  if (isRefused) return null
  throw error
}

const onDeviceQuery = queryOptions({
  queryKey: [...userQuery.queryKey, 'hatch on device'],
  queryFn: () => hatchUserOnDevice(),
  gcTime: 0,
  networkMode: 'always',
})

/**
 * Opens for the server's user, or while it is silent for the last user here. Without access it shows the usual page and removes the list.
 */
export const HatchDoor = () => {
  const user = useQuery({ ...userQuery, enabled: false }).data
  const asked = useQuery({ ...answeredSessionQuery, initialData: user })
  const onDevice = useQuery(onDeviceQuery).data
  const isLate = useIsLater(patienceMs)
  const isUnanswered = isLate || asked.failureCount > 0
  const isShut = user !== undefined && !(user && mayServe(user))
  // Fails without TLS or where forbidden: the hatch then needs the network.
  useEffect(() => void openHatchOffline().catch(() => undefined), [])
  useEffect(offerHatchForHomeScreen, [])
  useEffect(() => {
    if (isShut) void forgetPrivateData()
  }, [isShut])

  if (isShut) return <Outlet />
  if (user) return <ServePage user={user} />
  if (!isUnanswered || onDevice === undefined) return <PageSpinner />
  return onDevice ? <ServePage user={onDevice} /> : <NoAnswer ask={() => void asked.refetch()} />
}

const mayServe = (user: User) =>
  user.role === 'admin' &&
  (user.isSuperadmin || user.allowedFeatures.includes('kitchen')) &&
  !user.mustChangePassword &&
  !user.mustSetUpSecondFactor

const NoAnswer = ({ ask }: { ask: () => void }) => (
  <main className="mx-auto max-w-page p-4">
    <ErrorState
      title="The tuckshop does not answer"
      detail="Nobody has a list on this device. Once it was opened with a connection, the hatch opens without one too."
      onRetry={ask}
    />
  </main>
)

/** Offline, `name` is the username. */
type ServePageProps = { user: { id: number; name: string; username?: string } }

export const ServePage = ({ user: { id, name, username } }: ServePageProps) => {
  const leaving = useLeaving(id)
  return (
    <main className="pb-floats mx-auto flex w-full max-w-page flex-col gap-2 px-4 py-1 sm:gap-4 sm:px-6 sm:py-4">
      <PageTitle of="Tuckshop">Hatch</PageTitle>
      <HatchScreen
        user={{ id, name: username ?? name }}
        actions={
          <>
            <Link
              to={paths.section('kitchen')}
              className="btn btn-ghost btn-md min-h-12 min-w-12 max-sm:px-2"
            >
              <Icon name="list" />
              <span className="max-sm:sr-only">Kitchen View</span>
            </Link>
            <Button
              variant="ghost"
              icon="logout"
              className="min-h-12 min-w-12 max-sm:gap-0 max-sm:px-2"
              busy={leaving.isLeaving}
              onClick={() => void leaving.leave()}
            >
              <span className="max-sm:sr-only">Logout</span>
            </Button>
          </>
        }
      />
      {leaving.question}
    </main>
  )
}
