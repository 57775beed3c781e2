import {
  Suspense,
  useState,
  type ReactNode,
  useRef,
  useCallback,
  useEffect,
  useEffectEvent,
  type RefCallback,
} from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { portalQuery } from '../../queries/session'
import { paths } from '../../lib/paths'
import { MakerFooter, Logo, SkipLink } from '../../ui/page-title'
import { lazyComponent } from '../../lib/lazy'
import { Breakable } from '../../ui/badge'
import { useSignOut } from '../../features/session/api'
import { classes } from '../../lib/classes'
import { Icon, type IconName } from '../../ui/icon'
import { IconButton } from '../../ui/button'
import { switchToCart } from '../../features/cart/cart-buttons'

const ContactDialog = lazyComponent(() =>
  import('../../features/support/contact-dialog').then((m) => m.ContactDialog),
)
const ProfileDialog = lazyComponent(() =>
  import('../../features/session/profile/profile-dialog').then((m) => m.ProfileDialog),
)
const TermsDialog = lazyComponent(() =>
  import('../../features/support/terms-dialog').then((m) => m.TermsDialog),
)

const AcceptPrivacy = lazyComponent(() =>
  import('../../features/privacy/accept-privacy').then((m) => m.AcceptPrivacy),
)

type DialogName = 'contact' | 'profile' | 'terms'
type HomeFrameProps = { user: User; children: (open: { profile: () => void }) => ReactNode }

/** Dialogs load when first opened. */
export const HomeFrame = ({ user, children }: HomeFrameProps) => {
  const [shown, setShown] = useState<DialogName | null>(null)
  const close = () => setShown(null)
  const main = useRef<HTMLElement>(null)
  const maker = useQueryClient().getQueryData(portalQuery.queryKey)?.makerUrl
  return (
    <>
      <SkipLink onSkip={() => main.current?.focus()} />
      {/* The footer starts below the first screen, so that its moves are unseen. */}
      <div className="flex min-h-dvh flex-col">
        <HomeHeader user={user} onContact={() => setShown('contact')} onProfile={() => setShown('profile')} />
        <main
          ref={main}
          id="section"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-page flex-1 flex-col gap-4 px-4 py-2 outline-none md:py-4"
        >
          {user.privacy.accepted === user.privacy.current ? null : (
            <Suspense>
              <AcceptPrivacy user={user} />
            </Suspense>
          )}
          {children({ profile: () => setShown('profile') })}
        </main>
      </div>
      <div className="flex flex-col items-center border-t border-line pt-4 pb-floats">
        <nav
          aria-label="Terms and privacy"
          className="flex flex-wrap justify-center gap-x-4 text-sm font-semibold text-brand-700"
        >
          <button type="button" onClick={() => setShown('terms')} className="min-h-9 underline">
            Terms &amp; Conditions
          </button>
          <Link to={paths.privacy} className="inline-flex min-h-9 items-center underline">
            Privacy Notice
          </Link>
        </nav>
        <MakerFooter words="Powered by" href={maker} />
      </div>
      <Suspense>
        {shown === 'contact' ? <ContactDialog open onClose={close} asker={user} /> : null}
        {shown === 'profile' ? <ProfileDialog open onClose={close} user={user} /> : null}
        {shown === 'terms' ? <TermsDialog open onClose={close} /> : null}
      </Suspense>
    </>
  )
}

const Credit = lazyComponent(() => import('./header-money').then((m) => m.Credit))
const DiscountBadge = lazyComponent(() => import('./header-money').then((m) => m.DiscountBadge))

type HeaderProps = { user: User; onContact?: () => void; onProfile?: () => void }

/** Actions fold below 768 px. */
const HomeHeader = ({ user, onContact, onProfile }: HeaderProps) => {
  const [open, setOpen] = useState(false)
  const fold = useRef<HTMLButtonElement>(null)
  const signingOut = useSignOut()
  const then = (act: () => void) => () => {
    setOpen(false)
    // The pressed button is folded away: dialogs return the focus here.
    fold.current?.focus()
    act()
  }
  return (
    // The menu covers notifications.
    <header className={classes('awning bg-head text-head-ink', open && 'max-md:z-60')}>
      <div className="@container mx-auto max-w-page px-4 py-2 md:py-3">
        <div className="flex flex-wrap items-center gap-x-4">
          <Logo className="size-10 ring-1 ring-head-raised @max-3xs:hidden" />
          <div className="min-w-0 flex-1 md:min-w-max">
            <h1 className="font-display text-base leading-tight font-semibold sm:text-lg @xs:whitespace-nowrap md:text-xl">
              {user.role === 'teacher' ? 'Teacher Portal' : 'Parent & Teacher Portal'}
            </h1>
            <p className="flex gap-x-2 text-sm @max-3xs:flex-wrap">
              <span className="min-w-0 truncate text-head-quiet @max-3xs:whitespace-normal [&_wbr]:@min-3xs:hidden">
                <span className="@max-sm:sr-only">Welcome, </span>
                <Breakable text={user.username} />
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

/** Scrolls to the cart on request. Answers a ref that takes the focus, unless the tab was pressed. */
export const useSwitchToCart = (show: () => void): RefCallback<HTMLElement> => {
  const coming = useRef(false)
  const onSwitch = useEffectEvent(() => {
    coming.current = true
    show()
    window.scrollTo({ top: 0 })
  })
  useEffect(() => {
    window.addEventListener(switchToCart, onSwitch)
    return () => window.removeEventListener(switchToCart, onSwitch)
  }, [])
  return useCallback((place: HTMLElement | null) => {
    if (!place || !coming.current) return
    coming.current = false
    place.focus({ preventScroll: true })
  }, [])
}
