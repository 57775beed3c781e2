import { onlineManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => onlineManager.subscribe(listener)

/** Whether this device has a connection, as far as the browser knows; follows it. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => onlineManager.isOnline(),
    () => true,
  )

/** Calls `act` whenever the browser says that the connection is back. */
export const useConnectionBack = (act: () => void): void =>
  useEffect(() => {
    window.addEventListener('online', act)
    return () => window.removeEventListener('online', act)
  }, [act])

/** Where the layout changes, in px: the mobile breakpoint of the spec. */
export const breakpoints = { mobile: 768 } as const

/** Whether the window is narrower than `px`; follows it. */
export const useNarrowerThan = (px: number): boolean => {
  const query = `(max-width: ${px - 0.02}px)`
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}
