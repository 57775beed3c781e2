import { Link } from 'react-router-dom'
import type { FeatureName } from '#contracts/identity'
import { classes } from '../../lib/classes'
import { paths } from '../../lib/paths'
import { Icon, type IconName } from '../../ui/icon'
import type { Section } from './sections'

const icons: Record<FeatureName, IconName> = {
  menu: 'bowl',
  kitchen: 'list',
  cycles: 'calendar',
  history: 'history',
  live_orders: 'clock',
  revenue: 'chart',
  refunds: 'refund',
  admins: 'lock',
  parents_students: 'people',
  settings: 'settings',
  order_recovery: 'refresh',
  pending_payments: 'wallet',
}

type SideMenuProps = {
  held: readonly Section[]
  current: FeatureName | null
  /** Icons alone; the names stay for screen readers and as tooltips. */
  narrow?: boolean
  onChosen?: () => void
}

/** The sections this administrator holds, as links. */
export const SideMenu = ({ held, current, narrow = false, onChosen }: SideMenuProps) => (
  <nav aria-label="Sections">
    <ul className="flex flex-col gap-1">
      {held.map((section) => (
        <li key={section.key}>
          <Link
            to={paths.section(section.key)}
            onClick={onChosen}
            title={narrow ? section.label : undefined}
            aria-current={section.key === current ? 'page' : undefined}
            className={classes(
              'flex min-h-11 items-center gap-3 rounded-md px-3 text-sm font-semibold transition-colors',
              narrow && 'justify-center',
              section.key === current
                ? 'bg-head-ink text-head shadow-card'
                : 'text-head-quiet hover:bg-head-raised hover:text-head-ink',
            )}
          >
            <Icon name={icons[section.key]} />
            <span className={narrow ? 'sr-only' : 'truncate'}>{section.label}</span>
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
