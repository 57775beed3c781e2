import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { config } from 'zod/mini'
import '../theme.css'
import { App, appQueryClient } from './app'

// Compiled parsers need `eval`, which the content security policy forbids.
config({ jitless: true })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
document.getElementById('not-started')?.remove()
createRoot(root).render(
  <StrictMode>
    {/* A click shows the next page's loading state at once; a transition would keep the old page until it is loaded. */}
    <BrowserRouter useTransitions={false}>
      <App queryClient={appQueryClient()} />
    </BrowserRouter>
  </StrictMode>,
)
