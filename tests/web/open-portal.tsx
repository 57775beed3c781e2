import './admin/browser-gaps'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, useLocation } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { appQueryClient } from '../../web/app/app-query-client'
import { RoutesByRole } from '../../web/app/routes-by-role'
import { userQuery } from '../../web/features/session/current-user'
import { toast } from '../../web/lib/toast'
import { Toasts } from '../../web/ui/toasts'
import { fakeServer } from './admin/fake-server'
import { serveFamily } from './sample-family'

// jsdom draws nothing, so it has no widths and does not scroll.
let narrow = false
window.matchMedia = () =>
  ({ matches: narrow, addEventListener: () => undefined, removeEventListener: () => undefined }) as never
window.scrollTo = () => undefined
// Moving among radio buttons looks for them by name.
globalThis.CSS = { escape: (name: string) => name } as typeof CSS

/** Makes the window as narrow as a phone's for the rest of the test. */
export const onAPhone = () => {
  narrow = true
}

const Address = () => {
  const { pathname, search } = useLocation()
  return <p data-testid="address">{`${pathname}${search}`}</p>
}

/**
 * Opens the application at this address: for this user, for nobody (null), or for whoever the server says (undefined).
 * Answers the hands of the user.
 */
export const openPortal = (address = '/', user?: User | null) => {
  const client = appQueryClient()
  if (user !== undefined) client.setQueryData(userQuery.queryKey, user)
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]} useTransitions={false}>
        <RoutesByRole />
        <Address />
      </MemoryRouter>
      <Toasts />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

export const shownAddress = () => screen.getByTestId('address').textContent

export const press = async (hands: ReturnType<typeof userEvent.setup>, name: string | RegExp) =>
  hands.click(await screen.findByRole('button', { name }))

/** The message that stands under a field. */
export const messageOf = (field: HTMLElement): string | null => {
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
  return document.getElementById(ids.find((id) => id.endsWith('-error')) ?? '')?.textContent ?? null
}

/** The card of a day of the menu, by the words of its heading. */
export const dayCard = async (heading: string) => {
  const found = await screen.findByRole('heading', { name: new RegExp(heading) })
  return within(found.parentElement!)
}

/** A tuckshop with a family, an empty device, and no notification left over. */
export const freshPortal = () => {
  narrow = false
  localStorage.clear()
  act(() => toast({ title: 'Between two tests' }))
  const server = fakeServer()
  serveFamily(server)
  return server
}
