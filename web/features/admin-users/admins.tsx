import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import {
  type AdminSort,
  type AdminUser,
  administratorList,
  setAdminStatus,
  setPassword,
  setPermissions,
  removeSecondFactor,
} from '#contracts/accounts'
import { listAfter, type QueryOf, type ReplyOf } from '#contracts/endpoint'
import { type FeatureName, createAdmin } from '#contracts/identity'
import { call } from '../../lib/call'
import { endpointMutation, listQuery, refresh } from '../../lib/endpoint-query'
import type { ListAddress, Sorting } from '../../lib/list-address'
import { FilterSelect, SearchField, SortSelect, bothOrders } from '../../ui/filters'

export type FeatureText = { key: FeatureName; label: string }

export const byRank: Sorting<AdminSort> = { sort: 'rank', direction: 'asc' }

const orders = [
  ...bothOrders<AdminSort>('rank', { asc: 'superadmin first', desc: 'superadmin last' }),
  ...bothOrders<AdminSort>('username', { asc: 'Username, A to Z', desc: 'Username, Z to A' }),
  ...bothOrders<AdminSort>('features', { desc: 'Most features first', asc: 'Fewest features first' }),
  ...bothOrders<AdminSort>('created', { desc: 'Newest first', asc: 'Oldest first' }),
]

type AdminFiltersProps = { list: ListAddress<AdminSort>; features: readonly FeatureText[] }

/** Filters and order. */
export const AdminFilters = ({ list, features }: AdminFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField list={list} name="search" label="Search usernames" className="min-w-0 grow basis-56" />
    <FilterSelect
      list={list}
      name="feature"
      label="Holds"
      className="w-full sm:w-48"
      options={[
        { value: '', label: 'Any features' },
        ...features.map(({ key, label }) => ({ value: key, label })),
      ]}
    />
    <SortSelect choices={orders} className="w-full sm:w-60" {...list.sorted} />
  </div>
)

export const adminsQuery = (query: QueryOf<typeof administratorList>) =>
  listQuery('identity', administratorList, { query })

export const addAdmin = endpointMutation(createAdmin, 'identity')
export const changeStatus = endpointMutation(setAdminStatus, 'identity')
export const takeSecondFactor = endpointMutation(removeSecondFactor, 'identity')
export const givePassword = endpointMutation(setPassword)

type Permissions = { id: number; add?: FeatureName[]; remove?: FeatureName[] }

/** Cached pages of the list with any filter. */
const pages = { queryKey: ['identity', administratorList.path] }
type Page = ReplyOf<typeof administratorList>

const showAdmin = (client: QueryClient, shown: Partial<AdminUser> & { id: number }) =>
  client.setQueriesData(
    pages,
    (page: Page | undefined) =>
      page && {
        ...page,
        data: page.data.map((admin) => (admin.id === shown.id ? { ...admin, ...shown } : admin)),
      },
  )

const shownAdmin = (client: QueryClient, id: number): AdminUser | undefined =>
  client
    .getQueriesData<Page>(pages)
    .flatMap(([, page]) => page?.data ?? [])
    .find((admin) => admin.id === id)

const key = ['permissions']

/** Optimistic, in sequence; refetched after the last. */
export const changePermissions = mutationOptions({
  mutationKey: key,
  scope: { id: 'permissions' },
  mutationFn: async ({ id, add, remove }: Permissions, { client }) => {
    const version = shownAdmin(client, id)?.version
    const saved = await call(setPermissions, { params: { id }, body: { add, remove, version } })
    showAdmin(client, { id, version: saved.version })
  },
  onMutate: async ({ id, ...change }: Permissions, { client }) => {
    await client.cancelQueries(pages)
    const before = shownAdmin(client, id)
    showAdmin(client, { id, allowedFeatures: listAfter(before?.allowedFeatures ?? [], change) })
    return { id, allowedFeatures: before?.allowedFeatures ?? [] }
  },
  onError: (_error, _input, before, { client }) => before && showAdmin(client, before),
  onSettled: (_data, _error, _input, _before, { client }) =>
    client.isMutating({ mutationKey: key }) === 1 ? refresh(client, 'identity') : undefined,
})
