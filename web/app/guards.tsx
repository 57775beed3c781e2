import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Outlet } from 'react-router-dom'
import type { Role, User } from '#contracts/identity'
import { useUser, userQuery } from '../features/session/current-user'
import { ChangePassword, NotFound } from './pages'

/** The pages below are for somebody who is signed in with a password of their own; `otherwise` is for nobody. */
export const SignedIn = ({ otherwise }: { otherwise: ReactNode }) => {
  const user = useQuery(userQuery).data
  if (!user) return otherwise
  if (user.mustChangePassword) return <ChangePassword user={user} />
  return <Outlet context={user} />
}

const only = (mayPass: (user: User) => boolean) => () => {
  const user = useUser()
  return mayPass(user) ? <Outlet context={user} /> : <NotFound />
}

/** The pages below are for administrators. */
export const AdminOnly = only(({ role }) => role === 'admin')

/** The pages below are for parents and teachers. */
export const FamilyOnly = only(({ role }) => role !== 'admin')

/** One address with a page for each role. */
export const ByRole = (pages: Record<Role, ReactNode>) => pages[useUser().role]
