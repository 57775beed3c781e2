import { Suspense, useRef, useState, type ReactNode } from 'react'
import type { User } from '#contracts/identity'
import { Logo } from '../../features/session/brand'
import { useSignOut } from '../../features/session/api'
import { classes } from '../../lib/classes'
import { lazyPart } from '../../lib/lazy'
import { Breakable } from '../../ui/breakable'
import { Icon, type IconName } from '../../ui/icon'
import { IconButton } from '../../ui/icon-button'

const Credit = lazyPart(() => import('./header-money').then((m) => m.Credit))
const DiscountBadge = lazyPart(() => import('./header-money').then((m) => m.DiscountBadge))

type HeaderProps = { user: User; onContact?: () => void; onProfile?: () => void }

/** The head of the parent's and the teacher's home. Below 768 px its actions fold into a dropdown. */
export const HomeHeader = ({ user, onContact, onProfile }: HeaderProps) => {
  const [open, setOpen] = useState(false)
  const fold = useRef<HTMLButtonElement>(null)
  const signingOut = useSignOut()
  const then = (act: () => void) => () => {
    setOpen(false)
    // On a phone the pressed button is folded away; a dialog then gives the focus back to this one.
    fold.current?.focus()
    act()
  }
  return (
    // The opened menu lies over a notification: whoever opens it wants to press something there.
    <header className={classes('awning bg-head text-head-ink', open && 'max-md:z-60')}>
      <div className="@container mx-auto max-w-page px-4 py-2 md:py-3">
        <div className="flex flex-wrap items-center gap-x-4">
          <Logo className="size-10 ring-1 ring-head-raised @max-3xs:hidden" />
          <div className="min-w-0 flex-1 md:min-w-max">
            <h1 className="font-display text-base leading-tight font-semibold sm:text-lg @xs:whitespace-nowrap md:text-xl">
              Parent &amp; Teacher Portal
            </h1>
            <p className="flex gap-x-3 text-sm @max-3xs:flex-wrap">
              <span className="min-w-0 truncate text-head-quiet @max-3xs:whitespace-normal">
                Welcome, <Breakable text={user.username} />
              </span>
              <Suspense>
                <Credit />
              </Suspense>
            </p>
          </div>
          <IconButton
            ref={fold}
            icon={open ? 'close' : 'menu'}
            variant="onBrand"
            label={open ? 'Close menu' : 'Open menu'}
            aria-expanded={open}
            aria-controls="home-actions"
            onClick={() => setOpen(!open)}
            className="md:hidden"
          />
          <div
            id="home-actions"
            className={classes(
              open ? 'flex' : 'hidden',
              'mt-2 w-full flex-col border-t border-head-raised pt-2 md:mt-0 md:ml-auto md:flex md:w-auto md:flex-row md:items-center md:border-0 md:pt-0',
            )}
          >
            <Suspense>
              <DiscountBadge />
            </Suspense>
            {onContact ? <Action icon="chat" words="Contact" onPress={then(onContact)} /> : null}
            {onProfile ? <Action icon="person" words="View Profile" onPress={then(onProfile)} /> : null}
            <Action icon="logout" words="Logout" onPress={then(() => signingOut.mutate())} />
          </div>
        </div>
      </div>
    </header>
  )
}

const Action = ({ icon, words, onPress }: { icon: IconName; words: ReactNode; onPress: () => void }) => (
  <button
    type="button"
    onClick={onPress}
    className="flex min-h-11 items-center gap-2 rounded-md px-3 text-left font-semibold whitespace-nowrap hover:bg-head-raised"
  >
    <Icon name={icon} size="sm" />
    {words}
  </button>
)
