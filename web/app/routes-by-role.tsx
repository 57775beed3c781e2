import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import type { ReactNode } from 'react'
import { matchPath, useLocation } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { userQuery } from '../features/session/current-user'
import { patterns } from '../lib/paths'
import { PageSpinner } from '../ui/spinner'
import * as pages from './pages'
import { useEmailVerification } from './use-email-verification'

type Params = Readonly<Record<string, string | undefined>>
type Address = readonly [pattern: string, draw: (params: Params) => ReactNode]

/** The screen at this address for whoever is signed in (administrator.md section 2.1). */
export const RoutesByRole = () => {
  const user = useQuery(userQuery).data
  const { pathname } = useLocation()
  useEmailVerification()
  if (user === undefined) return <PageSpinner />
  return (
    <Suspense fallback={<PageSpinner />}>
      {screenAt(pathname, user)}
      <Installed />
    </Suspense>
  )
}

/** Drawn together with the first screen, so what it fetches never delays that. */
const Installed = () => {
  useEffect(() => void import('./install').then((m) => m.install()), [])
  return null
}

// The router's own <Routes> does the same with nesting and loaders, for 3 kB more in everybody's first load.
const screenAt = (pathname: string, user: User | null): ReactNode => {
  for (const [pattern, draw] of addressesOf(user)) {
    const match = matchPath(pattern, pathname)
    if (match) return draw(match.params)
  }
  return <pages.NotFound />
}

const addressesOf = (user: User | null): readonly Address[] => {
  if (!user) return signedOut
  if (user.mustChangePassword) return [[patterns.anything, () => <pages.ChangePassword user={user} />]]
  if (user.role === 'admin') return consoleAddresses(user)
  const Home = user.role === 'teacher' ? pages.TeacherHome : pages.ParentHome
  return [
    [patterns.home, () => <Home user={user} />],
    [patterns.paymentSuccess, () => <pages.PaymentSuccess user={user} />],
    [patterns.paymentCancel, () => <pages.PaymentCancel />],
  ]
}

const signedOut: readonly Address[] = [
  [patterns.debugLogin, () => <pages.DebugLogin />],
  [patterns.paymentSuccess, () => <pages.SignInFirst />],
  [patterns.anything, () => <pages.PortalEntry />],
]

const consoleAddresses = (user: User): readonly Address[] => [
  [patterns.home, () => <pages.Console user={user} />],
  [patterns.editMenuItem, ({ id }) => <pages.EditMenuItem key={id} user={user} id={Number(id)} />],
  [patterns.settings, () => <pages.Settings user={user} />],
]
