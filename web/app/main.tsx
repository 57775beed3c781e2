import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { config } from 'zod/mini'
import '../theme.css'
import { userQuery } from '../queries/session'
import { App, appQueryClient } from './app'
import { fetchFirstPage } from './pages'

// Compiled parsers need `eval`, which the content security policy forbids.
config({ jitless: true })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

const start = async (place: HTMLElement) => {
  const queryClient = appQueryClient()
  // Whatever is missing now is fetched when it is drawn.
  await fetchFirstPage(queryClient.getQueryData(userQuery.queryKey), window.location).catch(() => undefined)
  document.getElementById('not-started')?.remove()
  const application = (
    <StrictMode>
      {/* Shows the next page's loading state at once; a transition would keep the old page. */}
      <BrowserRouter useTransitions={false}>
        <App queryClient={queryClient} />
      </BrowserRouter>
    </StrictMode>
  )
  // In slices, so that a slow phone can react in between.
  startTransition(() => createRoot(place).render(application))
}

void start(root)
