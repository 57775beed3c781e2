import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

/**
 * A component loaded when it is first drawn: `lazyPart(() => import('./x').then((m) => m.X))`. Without a connection it
 * waits for one, and what stands in its place stays.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => ({ default: await load().catch(() => connected().then(load)) }))

const connected = () =>
  new Promise((resolve) =>
    navigator.onLine ? resolve(null) : window.addEventListener('online', resolve, { once: true }),
  )
