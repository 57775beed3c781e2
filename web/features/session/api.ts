import { mutationOptions, type QueryClient, useMutation } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import {
  beginSecondFactor,
  confirmSecondFactor,
  convertToTeacher,
  endSecondFactor,
  endSession,
  forgotPassword,
  listSessions,
  login,
  logout,
  register,
  sendVerification,
  updateProfile,
  type User,
  verifyEmail,
} from '#contracts/identity'
import { call, messageOf } from '../../lib/call'
import {
  forgetPrivateData,
  keysOnDevice,
  readDevice,
  removeFromDevice,
  writeDevice,
} from '../../lib/device-storage'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'
import { toast } from '../../lib/toast'
import { beginSession, readUserAgain, replaceUser, userQuery } from '../../queries/session'

/** Starts the session here and tells other tabs. */
const begin = (client: QueryClient, user: User): void => {
  beginSession(client, user)
  tellSignedIn(user.id)
}

export const signIn = mutationOptions({
  mutationFn: (body: BodyOf<typeof login>) => call(login, { body }),
  onSuccess: (user, _input, _before, { client }) => begin(client, user),
})

export const signUp = mutationOptions({
  mutationFn: (body: BodyOf<typeof register>) => call(register, { body }),
  onSuccess: (user, _input, _before, { client }) => begin(client, user),
})

const signOut = mutationOptions({
  // Clears private data even when the server is unreachable.
  mutationFn: async () => {
    await forgetPrivateData()
    return call(logout, {})
  },
  onSuccess: (_reply, _input, _before, { client }) => {
    replaceUser(client, null)
    forgetAfterSignOut()
  },
})

export const becomeTeacher = mutationOptions({
  mutationFn: async () => {
    await call(convertToTeacher, {})
    await call(logout, {}).catch(() => null)
  },
  onSuccess: (_reply, _input, _before, { client }) => replaceUser(client, null),
})

export const requestReset = mutationOptions({
  mutationFn: (identifier: string) => call(forgotPassword, { body: { identifier } }),
})

export const saveProfile = mutationOptions({
  mutationFn: (body: BodyOf<typeof updateProfile>) => call(updateProfile, { body }),
  onSuccess: (user, _input, _before, { client }) => client.setQueryData(userQuery.queryKey, user),
})

export const confirmEmail = mutationOptions({
  ...endpointMutation(verifyEmail),
  onSuccess: (_reply, _input, _before, { client }) => readUserAgain(client),
})

export const sendLinkAgain = endpointMutation(sendVerification)

/** Refetched whenever shown: sessions change elsewhere. */
export const sessionsQuery = { ...endpointQuery('identity', listSessions, {}), staleTime: 0 }
export const leaveSession = endpointMutation(endSession, 'identity')

export const beginFactor = endpointMutation(beginSecondFactor)
export const confirmFactor = endpointMutation(confirmSecondFactor)
export const endFactor = mutationOptions({
  ...endpointMutation(endSecondFactor),
  onSuccess: (_reply, _input, _before, { client }) => readUserAgain(client),
})

/** Notifies that a profile could not be saved. */
export const notifyNotSaved = (error: unknown): void =>
  toast({ title: 'Update Failed', text: messageOf(error, 'Please try again.'), kind: 'error' })

/** `notify` reports the result. */
export const useSignOut = (notify = toast) =>
  useMutation({
    ...signOut,
    onSuccess: async (...done) => {
      await signOut.onSuccess?.(...done)
      notify({ title: 'Logged out successfully' })
    },
    onError: (error) => notify({ title: 'Error', text: messageOf(error, 'Failed to logout'), kind: 'error' }),
  })

const prefix = 'tuckshop-'
const ownKey = `${prefix}own-device`
const signedOutKey = `${prefix}signed-out`
const signedInKey = `${prefix}signed-in`

/** Chosen at sign-in. */
export const isOwnDevice = (): boolean => readDevice(ownKey) === 'yes'

export const setOwnDevice = (own: boolean): void => {
  if (own) writeDevice(ownKey, 'yes')
  else removeFromDevice(ownKey)
}

/** Removes carts and other data of the portal unless the device is one's own; other tabs hear of it. */
const forgetAfterSignOut = (): void => {
  if (!isOwnDevice()) for (const key of keysOnDevice(prefix)) removeFromDevice(key)
  writeDevice(signedOutKey, String(Date.now()))
}

/** Answers how to stop. */
export const onSignedOutElsewhere = (act: () => void): (() => void) => {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key === signedOutKey && newValue !== null) act()
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

/** Other tabs would go on as that user. */
const tellSignedIn = (userId: number): void => writeDevice(signedInKey, `${userId} ${Date.now()}`)

/** Calls `act` with the user id; answers how to stop. */
export const onSignedInElsewhere = (act: (userId: number) => void): (() => void) => {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key === signedInKey && newValue !== null) act(Number.parseInt(newValue, 10))
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
