import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router-dom'
import { config } from 'zod/mini'
import '../theme.css'
import { App } from './app'
import { appQueryClient } from './app-query-client'
import { routes } from './routes'

// Compiled parsers need `eval`, which the content security policy forbids.
config({ jitless: true })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <App queryClient={appQueryClient()} router={createBrowserRouter(routes)} />
  </StrictMode>,
)
