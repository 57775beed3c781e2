import { useQueryClient } from '@tanstack/react-query'
import {
  Suspense,
  useState,
  type ComponentProps,
  type ReactNode,
  useRef,
  useCallback,
  useEffect,
  useEffectEvent,
  type RefCallback,
} from 'react'
import { Link } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { type SwitchToCart, switchToCart } from '../../features/cart/cart-buttons'
import { AcceptPrivacy } from '../../features/privacy/accept-privacy'
import { useSignOut } from '../../features/session/api'
import { lazyComponent } from '../../lib/lazy'
import { paths } from '../../lib/paths'
import { portalQuery } from '../../queries/session'
import { Breakable } from '../../ui/badge'
import { Icon, type IconName } from '../../ui/icon'
import { MakerFooter, Logo, SkipLink } from '../../ui/page-title'

const ContactDialog = lazyComponent(() =>
  import('../../features/support/contact-dialog').then((m) => m.ContactDialog),
)
const ProfileDialog = lazyComponent(() =>
  import('../../features/session/profile/profile-dialog').then((m) => m.ProfileDialog),
)
const TermsDialog = lazyComponent(() =>
  import('../../features/support/terms-dialog').then((m) => m.TermsDialog),
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
          className="mx-auto flex w-full max-w-page flex-1 flex-col gap-4 px-4 py-1 outline-none md:py-4"
        >
          {user.privacy.accepted === user.privacy.current ? null : <AcceptPrivacy user={user} />}
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

const HeaderMenu = lazyComponent(() => import('./header-menu').then((m) => m.HeaderMenu))

type HeaderProps = { user: User; onContact: () => void; onProfile: () => void }

/** Acts are a menu below 768 px. */
const HomeHeader = ({ user, onContact, onProfile }: HeaderProps) => {
  const signingOut = useSignOut()
  const acts = [
    <Act key="contact" icon="chat" words="Contact" onClick={onContact} />,
    <Act key="profile" icon="person" words="View Profile" onClick={onProfile} />,
    <Act key="logout" icon="logout" words="Logout" onClick={() => signingOut.mutate()} />,
  ]
  const discount = (
    <Suspense>
      <DiscountBadge />
    </Suspense>
  )
  return (
    // The menu covers notifications.
    <header className="awning bg-head text-head-ink max-md:has-[[role=menu]]:z-60">
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
          <Suspense fallback={<span className="tap md:hidden" />}>
            <HeaderMenu acts={acts}>{discount}</HeaderMenu>
          </Suspense>
          <div className="ml-auto hidden items-center md:flex">
            {discount}
            {acts}
          </div>
        </div>
      </div>
    </header>
  )
}

type ActProps = ComponentProps<'button'> & { icon: IconName; words: string }

const Act = ({ icon, words, ...button }: ActProps) => (
  <button
    type="button"
    {...button}
    className="flex min-h-11 items-center gap-2 rounded-md px-3 text-left font-semibold whitespace-nowrap hover:bg-head-raised data-focus:bg-head-raised"
  >
    <Icon name={icon} size="sm" />
    {words}
  </button>
)

/**
 * Scrolls to the cart on request. `arrives` takes the focus, unless the tab was pressed; `orders` is for a cart that is to be ordered at
 * once.
 */
export const useSwitchToCart = (
  show: () => void,
): { arrives: RefCallback<HTMLElement>; orders: boolean; onOrdering: () => void } => {
  const coming = useRef(false)
  const [orders, setOrders] = useState(false)
  const onSwitch = useEffectEvent((event: Event) => {
    coming.current = true
    setOrders((event as SwitchToCart).detail?.order === true)
    show()
    window.scrollTo({ top: 0 })
  })
  useEffect(() => {
    window.addEventListener(switchToCart, onSwitch)
    return () => window.removeEventListener(switchToCart, onSwitch)
  }, [])
  const arrives = useCallback((place: HTMLElement | null) => {
    if (!place || !coming.current) return
    coming.current = false
    place.focus({ preventScroll: true })
  }, [])
  return { arrives, orders, onOrdering: () => setOrders(false) }
}
