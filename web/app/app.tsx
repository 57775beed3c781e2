import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { Toasts } from '../ui/toasts'
import { ConnectionBanner } from './connection-banner'
import { PageErrorBoundary } from './page-error-boundary'
import { AppRoutes } from './routes'
import { replaceUser, takeSession, userQuery } from '../features/session/current-user'
import { CallError } from '../lib/call'
import { makeQueryClient } from '../lib/query-client'

/** The whole application inside a router: the page of the address, and the notifications over every page. */
export const App = ({ queryClient }: { queryClient: QueryClient }) => (
  <QueryClientProvider client={queryClient}>
    <PageErrorBoundary>
      <AppRoutes />
    </PageErrorBoundary>
    <ConnectionBanner />
    <Toasts />
  </QueryClientProvider>
)

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
  takeSession(client)
  return client
}
