import { useOnline } from '../lib/use-online'
import { Icon } from '../ui/icon'

/** Says that the connection is lost while it is; what could not be read is read once it is back. */
export const ConnectionBanner = () => (
  <div aria-live="polite">
    {/* Hidden rather than absent: its drawing could not be fetched when it is needed. */}
    <p
      hidden={useOnline()}
      className="fixed inset-x-0 top-0 z-40 flex items-center justify-center gap-2 bg-warning-100 px-4 py-2 text-sm font-semibold text-warning-700"
    >
      <Icon name="offline" size="sm" />
      No connection. Your cart is kept.
    </p>
  </div>
)
