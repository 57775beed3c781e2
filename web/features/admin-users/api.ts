import { mutationOptions } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { listAdmins, setPassword, setPermissions } from '#contracts/administrators'
import type { AdminUser } from '#contracts/administrators'
import type { BodyOf } from '#contracts/endpoint'
import { createAdmin } from '#contracts/identity'
import type { FeatureName } from '#contracts/identity'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read anew whenever it is opened. */
export const adminsQuery = { ...endpointQuery('identity', listAdmins, {}), staleTime: 0 }

export const addAdmin = mutationOptions({
  mutationFn: (body: BodyOf<typeof createAdmin>) => call(createAdmin, { body }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'identity'),
})

export const givePassword = mutationOptions({
  mutationFn: ({ id, password }: { id: number; password: string }) =>
    call(setPassword, { params: { id }, body: { password } }),
})

export type Permissions = { id: number; features: FeatureName[] }

const setFeatures = (client: QueryClient, { id, features }: Permissions) =>
  client.setQueryData(adminsQuery.queryKey, (admins: AdminUser[] | undefined) =>
    admins?.map((admin) => (admin.id === id ? { ...admin, allowedFeatures: features } : admin)),
  )

const key = ['permissions']

/** Shown at once, taken back when the server refuses; one after another, and read anew after the last of them. */
export const changePermissions = mutationOptions({
  mutationKey: key,
  scope: { id: 'permissions' },
  mutationFn: ({ id, features }: Permissions) => call(setPermissions, { params: { id }, body: { features } }),
  onMutate: async ({ id, features }: Permissions, { client }) => {
    await client.cancelQueries({ queryKey: adminsQuery.queryKey })
    const before = client.getQueryData(adminsQuery.queryKey)?.find((admin) => admin.id === id)
    setFeatures(client, { id, features })
    return { id, features: before?.allowedFeatures ?? [] }
  },
  onError: (_error, _input, before, { client }) => before && setFeatures(client, before),
  onSettled: (_data, _error, _input, _before, { client }) =>
    client.isMutating({ mutationKey: key }) === 1 ? refresh(client, 'identity') : undefined,
})
