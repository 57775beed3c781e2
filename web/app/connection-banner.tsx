import { useMatch } from 'react-router-dom'
import { paths } from '../lib/paths'
import { useOnline } from '../lib/use-online'
import { Icon } from '../ui/icon'

/**
 * Says that the connection is lost while it is; what could not be read is read once it is back. The hatch, which goes on
 * without one, says it in its own words.
 */
export const ConnectionBanner = () => {
  const online = useOnline()
  const atTheHatch = useMatch(paths.serve) !== null
  return (
    <div aria-live="polite">
      {/* Hidden rather than absent: its drawing could not be fetched when it is needed. */}
      <p
        hidden={online || atTheHatch}
        className="fixed inset-x-0 top-0 z-40 flex items-center justify-center gap-2 bg-warning-100 px-4 py-2 text-sm font-semibold text-warning-700"
      >
        <Icon name="offline" size="sm" />
        No connection. Your cart is kept.
      </p>
    </div>
  )
}
