import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useMatch, useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../lib/paths'
import { portalQuery } from '../../queries/session'
import { Icon, type IconName } from '../../ui/icon'
import { Logo, MakerFooter, PageTitle } from '../../ui/page-title'
import { EntryCard, type EntryMode } from './entry-card'

export const PortalEntry = () => {
  const letter = useOpenedLetter()
  const invitation = useOpenedInvitation()
  const [mode, setMode] = useState<EntryMode>((letter ?? invitation) ? 'register' : 'login')
  const loginTitle = useLoginTitle()
  const welcome = useWelcome(letter?.code ?? null)
  const maker = useQuery(portalQuery).data?.makerUrl
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-2 lg:grid-rows-1">
      <PageTitle>{mode === 'register' ? 'Create Account' : 'Login'}</PageTitle>
      <Welcome {...welcome} />
      <div className="flex flex-col">
        <main className="flex flex-1 items-start justify-center p-4 sm:items-center sm:p-8">
          <EntryCard
            mode={mode}
            onMode={setMode}
            {...letter}
            {...invitation}
            loginTitle={loginTitle}
            logo={<Logo className="size-10 lg:hidden" />}
          />
        </main>
        <MakerFooter words="Made with care by" href={maker} />
      </div>
    </div>
  )
}

/** The purpose of an opened email link. */
const useLoginTitle = () => {
  const isVerifying = useMatch(paths.verifyEmail) !== null
  const isInvited = useMatch(paths.guardianInvite(':token')) !== null
  if (isVerifying) return 'Log in to confirm your email address'
  return isInvited ? 'Log in to see your invitation' : 'Welcome back'
}

type WelcomeProps = { title: string; text: string }

/** What brought the visitor here is the headline. */
const useWelcome = (code: string | null): WelcomeProps => {
  const school = useQuery(portalQuery).data?.schoolName ?? 'the Tuckshop'
  const isInvited = useMatch(paths.guardianInvite(':token')) !== null
  if (code !== null) return { title: `Your letter from ${school}`, text: letterText(code) }
  if (isInvited)
    return {
      title: 'You are invited to be a guardian',
      text: `A family of ${school} shares a child with you. Create an account, or log in with yours, and you see who asks.`,
    }
  return { title: 'Parent & Teacher Portal', text: `School lunches from ${school}` }
}

/** A link may hold any words: only what looks like a code is shown. */
const letterText = (code: string) => {
  const [, first, last] =
    /^([a-z]{4})[ -]?([a-z]{4})$/i.exec(code.trim())?.map((part) => part.toUpperCase()) ?? []
  return first === undefined
    ? 'Its code puts your children on your account. Create one, or log in.'
    : `Code ${first} ${last} puts your children on your account. Create one, or log in.`
}

/** Used up by registration. */
const useOpenedLetter = () => {
  const isHere = useMatch(paths.register) !== null
  const [search] = useSearchParams()
  const navigate = useNavigate()
  if (!isHere) return null
  return {
    code: search.get('code') ?? '',
    onRegistered: () => void navigate(paths.home, { replace: true }),
  }
}

const useOpenedInvitation = () => {
  const invite = useMatch(paths.guardianInvite(':token'))?.params.token
  const { hash } = useLocation()
  return invite === undefined ? null : { invite, email: addressIn(hash) }
}

/** The mailed link ends with the address that it was sent to; '' where it does not. */
const addressIn = (hash: string): string => {
  try {
    return atob(hash.slice(1).replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}

const promises: { icon: IconName; text: string }[] = [
  { icon: 'calendar', text: 'Choose lunches weeks ahead, in one go' },
  { icon: 'people', text: 'One account for all your children' },
  { icon: 'clock', text: 'Cancel when plans change' },
]

const Welcome = ({ title, text }: WelcomeProps) => (
  <header className="awning bg-head text-head-ink lg:mb-0 lg:flex lg:flex-col lg:items-center lg:justify-center lg:after:hidden">
    <div className="relative overflow-hidden px-5 py-6 pr-28 lg:max-w-form lg:overflow-visible lg:px-8">
      <img
        src="/lunch.svg"
        alt=""
        width="480"
        height="480"
        className="absolute top-1/2 -right-8 size-32 -translate-y-1/2 sm:right-6 sm:size-22 lg:static lg:-ml-6 lg:mb-6 lg:size-64 lg:translate-y-0"
      />
      <h1 className="font-display text-xl font-semibold wrap-anywhere lg:text-3xl">{title}</h1>
      <p className="mt-1 text-sm text-head-quiet lg:text-lg">{text}</p>
      <ul className="mt-8 hidden flex-col gap-3 lg:flex">
        {promises.map(({ icon, text }) => (
          <li key={text} className="flex items-center gap-4 text-head-quiet">
            <span className="rounded-full bg-head-raised p-2 text-head-accent">
              <Icon name={icon} />
            </span>
            {text}
          </li>
        ))}
      </ul>
    </div>
  </header>
)
