import { clientsClaim } from 'workbox-core'
import { createHandlerBoundToURL, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** The parts of a service worker's surroundings that are used here; the library of types for pages has none of them. */
type WorkerScope = {
  registration: { scope: string }
  clients: {
    matchAll: (which: { type: 'window'; includeUncontrolled: true }) => Promise<{ url: string }[]>
  }
  skipWaiting: () => Promise<void>
  addEventListener: (name: 'message', hear: (event: WorkerMessage) => void) => void
}
type WorkerMessage = { data: unknown; waitUntil: (until: Promise<unknown>) => void }

declare const self: WorkerScope
/** What the hatch is made of; the build puts the list here (scripts/build-serve-worker.mjs). */
declare const PRECACHED: PrecacheEntry[]

// All or nothing: a release that cannot be fetched whole is not installed, and the one before stays. Only files of the
// build are stored, and only they are answered from the store: every call of /api goes to the network by itself.
precacheAndRoute(PRECACHED)
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), { allowlist: [/^\/serve\/?(?:\?|$)/] }),
)
// The page that registers this worker at its first opening also gets its later parts from the store.
clientsClaim()

/** Lets a release that waits begin, unless another page of the hatch is open: that still needs its own files. */
const takeOver = async () => {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const atTheHatch = pages.filter(({ url }) => url.startsWith(self.registration.scope))
  if (atTheHatch.length === 1) await self.skipWaiting()
}

self.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(takeOver())
})
