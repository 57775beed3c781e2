import { clientsClaim } from 'workbox-core'
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** The parts of a service worker's surroundings that are used here; the library of types for pages has none of them. */
type WorkerEvent = Event & { waitUntil: (until: Promise<unknown>) => void }
type WorkerScope = {
  skipWaiting: () => Promise<void>
  addEventListener: (name: 'install' | 'activate', hear: (event: WorkerEvent) => void) => void
}

declare const self: WorkerScope
/** What the hatch is made of; the build puts the list here (scripts/build-serve-worker.mjs). */
declare const PRECACHED: PrecacheEntry[]

const page = '/index.html'
const prefix = 'hatch '
// The page names the scripts and they name each other, so every release has another page.
const ownName = `${prefix}${PRECACHED.find(({ url }) => url === page)?.revision}`
/** Pages of these many releases before stay whole, however long they are left open. */
const olderKept = 2

const release = new PrecacheController({ cacheName: ownName })
release.addToCacheList(PRECACHED)

// All or nothing: a release that cannot be fetched whole is not installed, and the one before stays. Each has a store of
// its own, so that this one may begin at once: pages that are open still find the files of theirs.
self.addEventListener('install', (event) => {
  void release.install(event)
  void self.skipWaiting()
})

const removeOldReleases = async () => {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== ownName)
  await Promise.all(others.slice(0, -olderKept).map((name) => caches.delete(name)))
}

self.addEventListener('activate', (event) => event.waitUntil(removeOldReleases()))
// The page that registers this worker at its first opening also gets its later parts from the store.
clientsClaim()

// Only files of the build are stored, and only they are answered from the store: every call of /api goes to the network.
registerRoute(new PrecacheRoute(release))
registerRoute(
  new NavigationRoute(release.createHandlerBoundToURL(page), { allowlist: [/^\/serve\/?(?:\?|$)/] }),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request)) ?? fetch(request),
)
