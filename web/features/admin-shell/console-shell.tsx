import { type MouseEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import type { FeatureName } from '#contracts/identity'
import { classes } from '../../lib/classes'
import { lazyPart, usePreload } from '../../lib/lazy'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { IconButton } from '../../ui/icon-button'
import type { Section } from './sections'
import { SideMenu } from './side-menu'

const SideDrawer = lazyPart(() => import('./side-drawer').then((m) => m.SideDrawer))

type ConsoleShellProps = {
  /** The label of the current section. */
  title: string
  username: string
  held: readonly Section[]
  current: FeatureName | null
  /** The search, in the header. */
  find: ReactNode
  onProfile: () => void
  onLogout: () => void
  loggingOut: boolean
  children: ReactNode
}

/** From this width in px on the side menu starts with its names; narrower it starts with icons. */
const roomForNames = 1024

/** The frame of the administrator console: side menu, header, and the current section in it. */
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

/** The first stop of the Tab key, seen only there: past the sections to what the current one shows. */
const SkipLink = ({ onSkip }: { onSkip: () => void }) => {
  const skip = (event: MouseEvent) => {
    // The address stays as it is: it holds the section and its filters.
    event.preventDefault()
    onSkip()
  }
  return (
    <a
      href="#section"
      onClick={skip}
      className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-md focus:bg-surface focus:px-4 focus:py-2.5 focus:font-semibold focus:text-brand-800 focus:shadow-overlay"
    >
      Skip to content
    </a>
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
  <header className="sticky top-0 z-30 flex min-h-16 items-center border-b sm:gap-2 max-lg:[&_.btn]:px-3 border-line bg-surface px-2 sm:px-6 print:hidden">
    <IconButton icon="menu" label="Open menu" className="md:hidden" onClick={onMenu} />
    <div className="min-w-0 flex-1 items-center justify-between gap-4 sm:flex">
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
