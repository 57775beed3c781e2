import { clientsClaim } from 'workbox-core'
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Service worker types missing from the page's library. */
type WorkerEvent = Event & { waitUntil: (until: Promise<unknown>) => void }
type WorkerScope = {
  skipWaiting: () => Promise<void>
  addEventListener: (name: 'install' | 'activate', hear: (event: WorkerEvent) => void) => void
}

declare const self: WorkerScope
/** Filled in by scripts/build-serve-worker.mjs. */
declare const PRECACHED: PrecacheEntry[]

const page = '/index.html'
const prefix = 'hatch '
// The page names the scripts, so every release has another page.
const ownName = `${prefix}${PRECACHED.find(({ url }) => url === page)?.revision}`
/** Older releases kept for pages still open. */
const olderKept = 2

const release = new PrecacheController({ cacheName: ownName })
release.addToCacheList(PRECACHED)

// All or nothing: an incomplete release is not installed. Each has its own cache, so open pages keep their files.
self.addEventListener('install', (event) => {
  void release.install(event)
  void self.skipWaiting()
})

const removeOldReleases = async () => {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== ownName)
  await Promise.all(others.slice(0, -olderKept).map((name) => caches.delete(name)))
}

self.addEventListener('activate', (event) => event.waitUntil(removeOldReleases()))
// The registering page also gets later parts from the cache.
clientsClaim()

// Only build files are cached; /api always uses the network.
registerRoute(new PrecacheRoute(release))
registerRoute(
  new NavigationRoute(release.createHandlerBoundToURL(page), { allowlist: [/^\/serve\/?(?:\?|$)/] }),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request }) => (await caches.match(request)) ?? fetch(request),
)
