import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { Toasts } from '../ui/toasts'
import { ConnectionBanner } from './connection-banner'
import { PageErrorBoundary } from './page-error-boundary'
import { AppRoutes } from './routes'

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
