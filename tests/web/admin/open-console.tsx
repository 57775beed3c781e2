import './browser-gaps'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, useLocation } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { featureNames } from '#contracts/identity'
import { RoutesByRole } from '../../../web/app/routes-by-role'
import { userQuery } from '../../../web/features/session/current-user'
import { makeQueryClient } from '../../../web/lib/query-client'
import { toast } from '../../../web/lib/toast'
import { Toasts } from '../../../web/ui/toasts'

export const superadmin: User = {
  id: 1,
  username: 'superadmin',
  name: 'Super Admin',
  email: null,
  phone: null,
  role: 'admin',
  isSuperadmin: true,
  allowedFeatures: [...featureNames],
  emailVerified: true,
  mustChangePassword: false,
}

export const adminWith = (...allowedFeatures: User['allowedFeatures']): User => ({
  ...superadmin,
  id: 2,
  username: 'grace',
  isSuperadmin: false,
  allowedFeatures,
})

const Address = () => {
  const { pathname, search } = useLocation()
  return <p data-testid="address">{`${pathname}${search}`}</p>
}

/** Opens the application at this address with this administrator signed in; answers the hands of the user. */
export const openConsole = (address: string, user: User = superadmin) => {
  const client = makeQueryClient(() => undefined)
  client.setQueryData(userQuery.queryKey, user)
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <RoutesByRole />
        <Address />
      </MemoryRouter>
      <Toasts />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

/** The address as the browser would show it. */
export const shownAddress = () => screen.getByTestId('address').textContent

/** Call in afterEach: there is one notification at a time, so this one takes the place of what a test left. */
export const forgetToasts = () => act(() => toast({ title: 'Between two tests' }))
