import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

/**
 * A component loaded when it is first drawn: `lazyPart(() => import('./x').then((m) => m.X))`. Without a connection it
 * waits for one, and what stands in its place stays. A browser that lost a part on the way, as when a phone goes from
 * one network to another, does not fetch it again for this page: so the page loads itself anew, once a minute at most.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => ({
    default: await load()
      .catch(() => connected().then(load))
      .catch(loadPageAnew),
  }))

const connected = () =>
  new Promise((resolve) =>
    navigator.onLine ? resolve(null) : window.addEventListener('online', resolve, { once: true }),
  )

const loadedAnewAt = 'tuckshop-loaded-anew-at'

const loadPageAnew = (failure: unknown): Promise<never> => {
  if (Date.now() - Number(sessionStorage.getItem(loadedAnewAt)) < 60_000) throw failure
  sessionStorage.setItem(loadedAnewAt, String(Date.now()))
  window.location.reload()
  return new Promise(() => undefined)
}
