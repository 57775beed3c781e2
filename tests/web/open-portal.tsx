import { act, screen, within } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { toast } from '../../web/lib/toast'
import { fakeServer } from './admin/fake-server'
import { serveFamily } from './sample-family'

export { openApp as openPortal, shownAddress } from './open-app'

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
