import { act } from '@testing-library/react'
import { featureNames, type User } from '#contracts/identity'
import { toast } from '../../../web/lib/toast'
import { openApp } from '../open-app'

export { shownAddress } from '../open-app'

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
  secondFactor: false,
  mustSetUpSecondFactor: false,
  contactNeeded: null,
  privacy: { accepted: null, current: 1 },
  version: 'filled',
}

export const adminWith = (...allowedFeatures: User['allowedFeatures']): User => ({
  ...superadmin,
  id: 2,
  username: 'grace',
  isSuperadmin: false,
  allowedFeatures,
})

/** Opens the application at this address with this administrator signed in; answers the hands of the user. */
export const openConsole = (address: string, user: User = superadmin) => openApp(address, user)

/** Call in afterEach: there is one notification at a time, so this one takes the place of what a test left. */
export const forgetToasts = () => act(() => toast({ title: 'Between two tests' }))
