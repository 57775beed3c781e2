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

/**
 * Calls `act` whenever the browser says that the connection is back. React Query takes a page that is opened without one
 * for connected, and would not notice.
 */
export const useConnectionBack = (act: () => void): void =>
  useEffect(() => {
    window.addEventListener('online', act)
    return () => window.removeEventListener('online', act)
  }, [act])
