import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { maintenanceNow } from '#contracts/audit'
import type { FeatureName } from '#contracts/identity'
import { classes } from '../../lib/classes'
import { endpointQuery } from '../../lib/endpoint-query'
import { counted } from '../../lib/format'
import { lazyComponent, usePreload } from '../../lib/lazy'
import { paths } from '../../lib/paths'
import { schoolClock } from '../../lib/school-moment'
import { Button, IconButton } from '../../ui/button'
import { Card } from '../../ui/card'
import { Icon, type IconName } from '../../ui/icon'
import { Notice } from '../../ui/notice'
import { SkipLink } from '../../ui/page-title'
import { EmptyState } from '../../ui/query-result'

const SideDrawer = lazyComponent(() => import('./side-drawer').then((m) => m.SideDrawer))

type ConsoleShellProps = {
  title: string
  username: string
  held: readonly Entry[]
  current: Entry['key'] | null
  find: ReactNode
  onProfile: () => void
  onLogout: () => void
  loggingOut: boolean
  children: ReactNode
}

/** Minimum width in px for a menu with names; narrower shows icons. */
const roomForNames = 1024

export const ConsoleShell = ({ held, current, children, ...header }: ConsoleShellProps) => {
  const [narrow, setNarrow] = useState(() => window.innerWidth < roomForNames)
  const [drawer, setDrawer] = useState(false)
  const main = useRef<HTMLElement>(null)
  usePreload(SideDrawer)
  return (
    <div className="flex min-h-dvh print:block">
      <SkipLink onSkip={() => main.current?.focus()} />
      {drawer ? (
        <Suspense>
          <SideDrawer onClose={() => setDrawer(false)}>
            <SideMenu held={held} current={current} onChosen={() => setDrawer(false)} />
          </SideDrawer>
        </Suspense>
      ) : null}
      <aside
        className={classes(
          'sticky top-0 hidden h-dvh shrink-0 flex-col overflow-y-auto bg-head p-3 transition-all md:flex print:hidden',
          narrow ? 'w-18' : 'w-64',
        )}
      >
        <div
          className={classes('mb-4 flex items-center', narrow ? 'justify-center' : 'justify-between pl-3')}
        >
          {narrow ? null : <p className="font-display text-lg font-semibold text-head-ink">Tuckshop</p>}
          <IconButton
            icon={narrow ? 'chevron-right' : 'chevron-left'}
            label={narrow ? 'Expand menu' : 'Collapse menu'}
            aria-expanded={!narrow}
            variant="onBrand"
            onClick={() => setNarrow(!narrow)}
          />
        </div>
        <SideMenu held={held} current={current} narrow={narrow} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <ShellHeader {...header} onMenu={() => setDrawer(true)} />
        <main
          ref={main}
          id="section"
          tabIndex={-1}
          className="mx-auto w-full max-w-page flex-1 px-4 py-5 outline-none sm:px-6 print:max-w-none print:p-0"
        >
          {children}
        </main>
      </div>
    </div>
  )
}

type ShellHeaderProps = Pick<
  ConsoleShellProps,
  'title' | 'username' | 'find' | 'onProfile' | 'onLogout' | 'loggingOut'
> & {
  onMenu: () => void
}

const ShellHeader = ({
  title,
  username,
  find,
  onProfile,
  onLogout,
  loggingOut,
  onMenu,
}: ShellHeaderProps) => (
  <header className="console-head sticky top-0 z-30 flex min-h-16 flex-wrap items-center gap-2 border-b max-lg:[&_.btn]:px-3 border-line bg-surface px-2 sm:px-6 print:hidden">
    <IconButton icon="menu" label="Open menu" className="md:hidden" onClick={onMenu} />
    <div className="min-w-24 flex-1 items-center justify-between gap-4 sm:flex">
      <h1 className="overflow-hidden font-display text-base leading-tight font-semibold text-ellipsis sm:text-xl sm:whitespace-nowrap">
        {title}
      </h1>
      <p className="flex min-w-0 items-center gap-1.5 text-xs text-muted sm:text-sm">
        <Icon name="person" size="sm" />
        <span className="truncate">{username}</span>
      </p>
    </div>
    {find}
    <Button variant="ghost" icon="person" onClick={onProfile}>
      <span className="max-lg:sr-only">View Profile</span>
    </Button>
    <Button variant="ghost" icon="logout" onClick={onLogout} disabled={loggingOut}>
      <span className="max-lg:sr-only">Logout</span>
    </Button>
  </header>
)

const icons: Record<Entry['key'], IconName> = {
  today: 'check',
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
  held: readonly Entry[]
  current: Entry['key'] | null
  /** Icons only; names remain for screen readers and tooltips. */
  narrow?: boolean
  onChosen?: () => void
}

/** Today stands before them. */
const groups: readonly { name: string; keys: readonly FeatureName[] }[] = [
  { name: 'Kitchen', keys: ['kitchen', 'menu', 'cycles'] },
  {
    name: 'Money',
    keys: ['live_orders', 'pending_payments', 'order_recovery', 'refunds', 'history', 'revenue'],
  },
  { name: 'Families', keys: ['parents_students'] },
  { name: 'School', keys: ['admins', 'settings'] },
]

const SideMenu = ({ held, narrow = false, ...menu }: SideMenuProps) => {
  const id = useId()
  const entries = (keys: readonly Entry['key'][]) =>
    keys.flatMap((key) => held.find((one) => one.key === key) ?? [])
  const linked = (entry: Entry) => (
    <li key={entry.key}>
      <EntryLink entry={entry} id={`${id}-${entry.key}`} narrow={narrow} {...menu} />
    </li>
  )
  return (
    <nav aria-label="Sections" className="flex flex-col gap-2">
      <ul className="empty:hidden">{entries(['today']).map(linked)}</ul>
      {groups.map(({ name, keys }) =>
        entries(keys).length === 0 ? null : (
          <section key={name} aria-labelledby={`${id}-${name}`}>
            <p
              id={`${id}-${name}`}
              className={narrow ? 'sr-only' : 'px-3 pb-0.5 text-xs font-semibold text-head-accent'}
            >
              {name}
            </p>
            <ul className={classes('flex flex-col gap-0.5', narrow && 'border-t border-head-raised pt-2')}>
              {entries(keys).map(linked)}
            </ul>
          </section>
        ),
      )}
    </nav>
  )
}

type EntryLinkProps = Pick<SideMenuProps, 'current' | 'onChosen'> & {
  entry: Entry
  id: string
  narrow: boolean
}

const EntryLink = ({ entry: { key, label, waits = 0 }, id, current, narrow, onChosen }: EntryLinkProps) => (
  <>
    <Link
      to={paths.section(key)}
      onClick={onChosen}
      title={narrow ? label : undefined}
      aria-current={key === current ? 'page' : undefined}
      aria-describedby={waits > 0 ? id : undefined}
      className={classes(
        'relative flex min-h-10 items-center gap-3 rounded-md px-3 text-sm font-semibold transition-colors pointer-coarse:min-h-11',
        narrow && 'justify-center',
        key === current
          ? 'bg-head-ink text-head shadow-card'
          : 'text-head-quiet hover:bg-head-raised hover:text-head-ink',
      )}
    >
      <Icon name={icons[key]} />
      <span className={narrow ? 'sr-only' : 'min-w-0 flex-1 leading-tight'}>{label}</span>
      {waits > 0 || !narrow ? (
        <span
          aria-hidden="true"
          className={classes(
            'money min-w-5 shrink-0 rounded-xl px-1.5 text-center text-xs leading-5',
            narrow && 'absolute top-0 right-0 ring-2',
            waits === 0 && 'invisible',
            key === current ? 'bg-head text-head-ink ring-head-ink' : 'bg-head-ink text-head ring-head',
          )}
        >
          {waits > 99 ? '99+' : waits || null}
        </span>
      ) : null}
    </Link>
    <span id={id} hidden>
      {counted(waits, 'waits', 'wait')}
    </span>
  </>
)

/** administrator.md section 2.2. */
export const sections: readonly { key: FeatureName; label: string }[] = [
  { key: 'menu', label: 'Menu Management' },
  { key: 'kitchen', label: 'Kitchen View' },
  { key: 'cycles', label: 'Order Cycles' },
  { key: 'history', label: 'Cycle History' },
  { key: 'live_orders', label: 'Live Orders' },
  { key: 'revenue', label: 'Revenue Stats' },
  { key: 'refunds', label: 'Refund Management' },
  { key: 'admins', label: 'Admin Users' },
  { key: 'parents_students', label: 'Parents & Students' },
  { key: 'settings', label: 'Settings' },
  { key: 'order_recovery', label: 'Order Recovery' },
  { key: 'pending_payments', label: 'Pending Payments' },
]

type Section = (typeof sections)[number]

/** Of the menu, with what waits there. */
type Entry = { key: Section['key'] | 'today'; label: string; waits?: number }

export const todayEntry: Entry = { key: 'today', label: 'Today' }

type Holder = { isSuperadmin: boolean; allowedFeatures: readonly FeatureName[] }

export const sectionsOf = (user: Holder): Section[] =>
  sections.filter((section) => user.isSuperadmin || user.allowedFeatures.includes(section.key))

/** The held section of the address, else menu or the first one held. */
export const chosenSection = (held: Section[], key: string | null): Section | null =>
  held.find((section) => section.key === key) ?? held[0] ?? null

const askEveryMs = 60_000

/** Shown while the read models are rebuilt. */
export const RebuildNotice = () => {
  const { data } = useQuery({
    ...endpointQuery('audit', maintenanceNow, {}),
    staleTime: askEveryMs,
    refetchInterval: askEveryMs,
  })
  if (data?.running?.what !== 'rebuild') return null
  return (
    <div className="mb-4 print:hidden">
      <Notice>
        A rebuild of all lists began at {schoolClock(data.running.since)} and is still running. You can go on
        working meanwhile.
      </Notice>
    </div>
  )
}

export const NoSection = ({ title, children }: { title: string; children: string }) => (
  <Card>
    <EmptyState title={title} icon="lock">
      {children}
    </EmptyState>
  </Card>
)
