import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import type { User } from '#contracts/identity'
import { creditQuery, discountQuery } from '../../features/orders/api'
import { Logo } from '../../features/session/brand'
import { useSignOut } from '../../features/session/api'
import { classes } from '../../lib/classes'
import { kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Icon, type IconName } from '../../ui/icon'
import { IconButton } from '../../ui/icon-button'

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
    <header className="awning bg-brand-800 text-white">
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-4 px-4 py-3">
        <Logo className="size-10 ring-1 ring-brand-600" />
        <div className="min-w-0 flex-1 md:min-w-max">
          <h1 className="font-display text-base leading-tight font-semibold sm:text-lg sm:whitespace-nowrap md:text-xl">
            Parent &amp; Teacher Portal
          </h1>
          <p className="truncate text-sm text-brand-100">Welcome, {user.username}</p>
          <Credit />
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
            'mt-2 w-full flex-col border-t border-brand-700 pt-2 md:mt-0 md:ml-auto md:flex md:w-auto md:flex-row md:items-center md:border-0 md:pt-0',
          )}
        >
          <DiscountBadge />
          {onContact ? <Action icon="chat" words="Contact" onPress={then(onContact)} /> : null}
          {onProfile ? <Action icon="person" words="View Profile" onPress={then(onProfile)} /> : null}
          <Action icon="logout" words="Logout" onPress={then(() => signingOut.mutate())} />
        </div>
      </div>
    </header>
  )
}

/** What the family may spend, also where the actions are folded. */
const Credit = () => {
  const balance = useQuery(creditQuery).data?.balance
  return balance ? <p className="text-sm font-semibold">Credit {kwacha(balance)}</p> : null
}

const DiscountBadge = () => {
  const discount = useQuery(discountQuery).data
  return discount ? (
    <span className="px-3 py-2 wrap-anywhere [&>.badge]:whitespace-normal">
      <Badge tone="accent" icon="tag">
        {discount.code}: {discount.discountPercentage}% off
      </Badge>
    </span>
  ) : null
}

const Action = ({ icon, words, onPress }: { icon: IconName; words: ReactNode; onPress: () => void }) => (
  <button
    type="button"
    onClick={onPress}
    className="flex min-h-11 items-center gap-2 rounded-md px-3 text-left font-semibold whitespace-nowrap hover:bg-brand-700"
  >
    <Icon name={icon} size="sm" />
    {words}
  </button>
)
