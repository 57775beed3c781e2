import { type ComponentType, type FunctionComponent, lazy, useEffect, useRef, useState } from 'react'

/** A part of the application that comes when it is first drawn, or before, when `preload` asks for it. */
type LazyPart<Props> = FunctionComponent<Props> & { preload: () => Promise<unknown> }

/**
 * A component loaded when it is first drawn: `lazyComponent(() => import('./x').then((m) => m.X))`. Without a connection it
 * waits for one, and what stands in its place stays. A browser that lost a part on the way, as when a phone goes from
 * one network to another, does not fetch it again for this page: so the page loads itself anew, once a minute at most.
 * What is there already is drawn at once, and nothing in its place before.
 */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> => {
  let loaded: ComponentType<Props> | undefined
  const preload = async () => (loaded ??= await load())
  const Coming = lazy(async () => ({
    default: await preload()
      .catch(() => connected().then(load))
      .catch(loadPageAnew),
  }))
  const Part = (props: Props) => {
    // Chosen once: another component in its place would forget what this one knows.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Coming)
    return <Shown {...props} />
  }
  return Object.assign(Part, { preload })
}

/** How long a screen has its line and processor for itself, for pictures and what it still asks. */
const settlingMs = 1_000

/**
 * Fetches these parts once the screen that may ask for them has settled: they are then there at once, also where the
 * connection is lost meanwhile.
 */
export const usePreload = (...parts: Pick<LazyPart<never>, 'preload'>[]): void => {
  const asked = useRef(parts)
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const part of asked.current) part.preload().catch(() => undefined)
    }, settlingMs)
    return () => clearTimeout(timer)
  }, [])
}

const connected = () =>
  new Promise((resolve) =>
    navigator.onLine ? resolve(null) : window.addEventListener('online', resolve, { once: true }),
  )

const loadedAnewAt = 'tuckshop-loaded-anew-at'

const loadPageAnew = (failure: unknown): Promise<never> => {
  if (!noteLoadedAnew()) throw failure
  window.location.reload()
  return new Promise(() => undefined)
}

/** False within a minute of the last time, and where the browser keeps nothing: the page would be loaded for ever. */
const noteLoadedAnew = (): boolean => {
  try {
    if (Date.now() - Number(sessionStorage.getItem(loadedAnewAt)) < 60_000) return false
    sessionStorage.setItem(loadedAnewAt, String(Date.now()))
    return true
  } catch {
    return false
  }
}
