import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { RouterProvider, type RouterProviderProps } from 'react-router-dom'
import { Toasts } from '../ui/toasts'
import { ConnectionBanner } from './connection-banner'

type AppProps = { queryClient: QueryClient; router: RouterProviderProps['router'] }

/** The whole application: cache, routes, and the notifications over every page. */
export const App = ({ queryClient, router }: AppProps) => (
  <QueryClientProvider client={queryClient}>
    {/* A click shows the next page's loading state at once; a transition would keep the old page until it is loaded. */}
    <RouterProvider router={router} useTransitions={false} />
    <ConnectionBanner />
    <Toasts />
  </QueryClientProvider>
)
