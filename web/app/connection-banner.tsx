import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Icon } from '../ui/icon'

const subscribe = (listener: () => void) => onlineManager.subscribe(listener)
const isOnline = () => onlineManager.isOnline()

/** Says that the connection is lost while it is; what could not be read is read once it is back. */
export const ConnectionBanner = () => {
  const online = useSyncExternalStore(subscribe, isOnline)
  return (
    <div aria-live="polite">
      {online ? null : (
        <p className="fixed inset-x-0 top-0 z-40 flex items-center justify-center gap-2 bg-warning-100 px-4 py-2 text-sm font-semibold text-warning-700">
          <Icon name="offline" size="sm" />
          No connection. Your cart is kept on this device.
        </p>
      )}
    </div>
  )
}
