import { type ComponentType, type FunctionComponent, lazy, useEffect, useRef, useState } from 'react'

/** Loads when drawn, or early by `preload`. */
type LazyPart<Props> = FunctionComponent<Props> & { preload: () => Promise<unknown> }

/**
 * A lazily loaded component: `lazyComponent(() => import('./x').then((m) => m.X))`. Offline it waits. Browsers do not refetch a failed
 * module, so the page reloads itself, at most once a minute. Loaded parts render without a fallback.
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
    // Fixed: switching components would lose state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Coming)
    return <Shown {...props} />
  }
  return Object.assign(Part, { preload })
}

/** Time for pictures and reads of a fresh screen. */
const settlingMs = 1_000

/** Fetches parts once the screen settles, for speed and lost connections. */
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

/** False within a minute, or without storage: avoids endless reloads. */
const noteLoadedAnew = (): boolean => {
  try {
    if (Date.now() - Number(sessionStorage.getItem(loadedAnewAt)) < 60_000) return false
    sessionStorage.setItem(loadedAnewAt, String(Date.now()))
    return true
  } catch {
    return false
  }
}
