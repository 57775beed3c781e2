import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import { portalQuery, userQuery } from '../features/session/current-user'
import { makeQueryClient } from '../lib/query-client'
import { App } from './app'
import * as pages from './pages'

/** Draws the way in as its visitors first see it, for a school of this name; used by the build alone. */
export const drawSignIn = async (schoolName: string): Promise<string> => {
  await pages.PortalEntry.preload()
  const queryClient = makeQueryClient(() => undefined)
  queryClient.setQueryData(userQuery.queryKey, null)
  queryClient.setQueryData(portalQuery.queryKey, { schoolName, timezone: 'UTC', demo: false, now: '' })
  const drawn = renderToString(
    <StrictMode>
      <StaticRouter location="/">
        <App queryClient={queryClient} />
      </StaticRouter>
    </StrictMode>,
  )
  // Else it would keep the build waiting for as long as it keeps unused data.
  queryClient.clear()
  return drawn
}
