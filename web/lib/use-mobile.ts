import { useSyncExternalStore } from 'react'

const query = '(max-width: 767.98px)'

const subscribe = (listener: () => void) => {
  const list = window.matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

/** Whether the window is narrower than the 768 px of the spec; follows it. */
export const useMobile = (): boolean =>
  useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
