import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router-dom'
import { Toasts } from '../ui/toasts'
import { appQueryClient } from './app-query-client'
import { Breakdown } from './breakdown'
import { ConnectionBanner } from './connection-banner'
import { RoutesByRole } from './routes-by-role'

const queryClient = appQueryClient()

/** The whole application: cache, addresses, the screens of whoever is signed in, and the notifications over them. */
export const App = () => (
  <QueryClientProvider client={queryClient}>
    {/* A press is answered at once, with the place of what is still to come; a transition would wait for it. */}
    <BrowserRouter useTransitions={false}>
      <Breakdown>
        <RoutesByRole />
      </Breakdown>
      <ConnectionBanner />
      <Toasts />
    </BrowserRouter>
  </QueryClientProvider>
)
