import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { administratorList, setAdminStatus, setPassword, setPermissions } from '#contracts/administrators'
import type { QueryOf, ReplyOf } from '#contracts/endpoint'
import { createAdmin, removeSecondFactor, type FeatureName } from '#contracts/identity'
import { call } from '../../lib/call'
import { endpointMutation, listQuery, refresh } from '../../lib/endpoint-query'

export const adminsQuery = (query: QueryOf<typeof administratorList>) =>
  listQuery('identity', administratorList, { query })

export const addAdmin = endpointMutation(createAdmin, 'identity')
export const changeStatus = endpointMutation(setAdminStatus, 'identity')
export const takeSecondFactor = endpointMutation(removeSecondFactor, 'identity')
export const givePassword = endpointMutation(setPassword)

export type Permissions = { id: number; features: FeatureName[] }

/** Every page of the list that was read, whatever it was asked for. */
const pages = { queryKey: ['identity', administratorList.path] }
type Page = ReplyOf<typeof administratorList>

const setFeatures = (client: QueryClient, { id, features }: Permissions) =>
  client.setQueriesData(
    pages,
    (page: Page | undefined) =>
      page && {
        ...page,
        data: page.data.map((admin) => (admin.id === id ? { ...admin, allowedFeatures: features } : admin)),
      },
  )

const shownFeatures = (client: QueryClient, id: number): FeatureName[] | undefined =>
  client
    .getQueriesData<Page>(pages)
    .flatMap(([, page]) => page?.data ?? [])
    .find((admin) => admin.id === id)?.allowedFeatures

const key = ['permissions']

/** Shown at once, taken back when the server refuses; one after another, and read again after the last of them. */
export const changePermissions = mutationOptions({
  mutationKey: key,
  scope: { id: 'permissions' },
  mutationFn: ({ id, features }: Permissions) => call(setPermissions, { params: { id }, body: { features } }),
  onMutate: async ({ id, features }: Permissions, { client }) => {
    await client.cancelQueries(pages)
    const before = shownFeatures(client, id)
    setFeatures(client, { id, features })
    return { id, features: before ?? [] }
  },
  onError: (_error, _input, before, { client }) => before && setFeatures(client, before),
  onSettled: (_data, _error, _input, _before, { client }) =>
    client.isMutating({ mutationKey: key }) === 1 ? refresh(client, 'identity') : undefined,
})
