import { onlineManager, QueryClientProvider, useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect, Component, type ReactNode } from 'react'
import { useMatch } from 'react-router-dom'
import { CallError } from '../lib/call'
import { makeQueryClient } from '../lib/endpoint-query'
import { paths } from '../lib/paths'
import { useOnline } from '../lib/use-device'
import { useCartHere } from '../queries/cart-here'
import { endSession, renewClock, takeSession, userQuery } from '../queries/session'
import { Icon } from '../ui/icon'
import { ErrorState } from '../ui/query-result'
import { Toasts } from '../ui/toasts'
import { AppRoutes } from './routes'

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

export const appQueryClient = (): QueryClient => {
  const client = makeQueryClient((error) => {
    if (!(error instanceof CallError) || !client.getQueryData(userQuery.queryKey)) return
    if (error.status === 401) endSession(client)
    if (error.code === 'password_change_required')
      void client.invalidateQueries({ queryKey: userQuery.queryKey })
  })
  // React Query assumes a connection at the start.
  onlineManager.setOnline(navigator.onLine)
  takeSession(client)
  return client
}

/** Reads that failed are repeated when the connection returns. The hatch shows its own words. */
export const ConnectionBanner = () => {
  const online = useOnline()
  const atTheHatch = useMatch(paths.serve) !== null
  const isConsole = useIsConsole()
  const hasCart = useCartHere()
  return (
    <div aria-live="polite">
      {/* Hidden, not absent: its icon could not be fetched offline. */}
      <p
        hidden={online || atTheHatch}
        className="fixed inset-x-0 top-0 z-40 flex items-center justify-center gap-2 bg-warning-100 px-4 py-2 text-sm font-semibold text-warning-700"
      >
        <Icon name="offline" size="sm" />
        No connection.
        {isConsole ? ' Nothing can be saved until it is back.' : hasCart ? ' Your cart is kept.' : null}
      </p>
    </div>
  )
}

const useIsConsole = () => useQuery({ ...userQuery, enabled: false }).data?.role === 'admin'

type State = { failed: boolean }

/** Usually the page's code could not be fetched. */
class PageErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError = (): State => ({ failed: true })

  override render() {
    if (!this.state.failed) return this.props.children
    return <FailedPage />
  }
}

const FailedPage = () => {
  const kept = useCartHere() ? ' Your cart is kept on this device.' : ''
  return (
    <main className="mx-auto max-w-page p-4">
      <ErrorState
        title="This page could not be shown"
        detail={`Please check your connection.${kept}`}
        onRetry={() => window.location.reload()}
      />
    </main>
  )
}
