import { onlineManager, QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useEffect, Component, type ReactNode } from 'react'
import { Toasts } from '../ui/toasts'
import { AppRoutes } from './routes'
import { renewClock, replaceUser, takeSession, userQuery } from '../queries/session'
import { CallError } from '../lib/call'
import { makeQueryClient } from '../lib/endpoint-query'
import { useMatch } from 'react-router-dom'
import { paths } from '../lib/paths'
import { useOnline } from '../lib/use-device'
import { Icon } from '../ui/icon'
import { ErrorState } from '../ui/query-result'

/** The whole application inside a router: the page of the address, and the notifications over every page. */
export const App = ({ queryClient }: { queryClient: QueryClient }) => {
  useEffect(() => renewClock(queryClient), [queryClient])
  return (
    <QueryClientProvider client={queryClient}>
      <PageErrorBoundary>
        <AppRoutes />
      </PageErrorBoundary>
      <ConnectionBanner />
      <Toasts />
    </QueryClientProvider>
  )
}

/**
 * The cache, with who came with the page. It notices when the server no longer knows us: the portal entry then takes the
 * place of the screen.
 */
export const appQueryClient = (): QueryClient => {
  const client = makeQueryClient((error) => {
    if (!(error instanceof CallError) || !client.getQueryData(userQuery.queryKey)) return
    if (error.status === 401) replaceUser(client, null)
    if (error.code === 'password_change_required')
      void client.invalidateQueries({ queryKey: userQuery.queryKey })
  })
  // React Query takes a page that is opened without a connection for connected.
  onlineManager.setOnline(navigator.onLine)
  takeSession(client)
  return client
}

/**
 * Says that the connection is lost while it is; what could not be read is read once it is back. The hatch, which goes on
 * without one, says it in its own words.
 */
export const ConnectionBanner = () => {
  const online = useOnline()
  const atTheHatch = useMatch(paths.serve) !== null
  return (
    <div aria-live="polite">
      {/* Hidden rather than absent: its drawing could not be fetched when it is needed. */}
      <p
        hidden={online || atTheHatch}
        className="fixed inset-x-0 top-0 z-40 flex items-center justify-center gap-2 bg-warning-100 px-4 py-2 text-sm font-semibold text-warning-700"
      >
        <Icon name="offline" size="sm" />
        No connection. Your cart is kept.
      </p>
    </div>
  )
}

type State = { failed: boolean }

/** Shown in place of a page that failed to render, above all because its code could not be fetched. */
class PageErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError = (): State => ({ failed: true })

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="mx-auto max-w-page p-4">
        <ErrorState
          title="This page could not be shown"
          detail="Please check your connection. Your cart is kept on this device."
          onRetry={() => window.location.reload()}
        />
      </main>
    )
  }
}
