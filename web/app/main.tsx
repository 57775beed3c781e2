import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import '../theme.css'
import { App } from './app'

// Compiled parsers need `eval`, which the content security policy forbids.
config({ jitless: true })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
