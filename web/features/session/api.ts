import { mutationOptions } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { BodyOf } from '#contracts/endpoint'
import {
  convertToTeacher,
  currentUser,
  forgotPassword,
  login,
  logout,
  portal,
  register,
  updateProfile,
} from '#contracts/identity'
import type { User } from '#contracts/identity'
import { call } from '../../lib/call'
import { endpointQuery } from '../../lib/endpoint-query'

/**
 * Who is signed in, or null. Asked once when the application starts and never again by itself; a 401 or any other
 * failure means nobody (parent-and-teacher.md section 4).
 */
export const userQuery = {
  queryKey: ['session'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<User | null> => {
    try {
      return await call(currentUser, { signal })
    } catch {
      return null
    }
  },
  refetchOnReconnect: false,
  networkMode: 'always',
} as const

/** Holds this user, or nobody, and forgets everything read for whoever was there before. */
export const holdUser = (client: QueryClient, user: User | null): void => {
  client.setQueryData(userQuery.queryKey, user)
  client.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] && queryKey[1] !== portal.path,
  })
}

export const portalQuery = endpointQuery('identity', portal, {})

export const signIn = mutationOptions({
  mutationFn: (body: BodyOf<typeof login>) => call(login, { body }),
  onSuccess: (user, _input, _before, { client }) => holdUser(client, user),
})

export const signUp = mutationOptions({
  mutationFn: (body: BodyOf<typeof register>) => call(register, { body }),
  onSuccess: (user, _input, _before, { client }) => holdUser(client, user),
})

export const signOut = mutationOptions({
  mutationFn: () => call(logout, {}),
  onSuccess: (_reply, _input, _before, { client }) => holdUser(client, null),
})

export const becomeTeacher = mutationOptions({
  mutationFn: async () => {
    await call(convertToTeacher, {})
    await call(logout, {}).catch(() => null)
  },
  onSuccess: (_reply, _input, _before, { client }) => holdUser(client, null),
})

export const requestReset = mutationOptions({
  mutationFn: (identifier: string) => call(forgotPassword, { body: { identifier } }),
})

export const saveProfile = mutationOptions({
  mutationFn: (body: BodyOf<typeof updateProfile>) => call(updateProfile, { body }),
  onSuccess: (user, _input, _before, { client }) => client.setQueryData(userQuery.queryKey, user),
})
