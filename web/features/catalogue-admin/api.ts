import { mutationOptions } from '@tanstack/react-query'
import type { MenuItem, MenuItemFields } from '#contracts/catalogue'
import {
  bulkArchive,
  bulkUpload,
  createMenuItem,
  deleteMenuItem,
  duplicateItems,
  getMenuItem,
  itemHasOrders,
  itemsHaveOrders,
  listMenu,
  setArchived,
  setAvailability,
  updateMenuItem,
} from '#contracts/catalogue'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

export const menuQuery = endpointQuery('catalogue', listMenu, {})

export const menuItemQuery = (id: number) => endpointQuery('catalogue', getMenuItem, { params: { id } })

/** Asked again whenever it is shown: an order may have come in between. */
export const hasOrdersQuery = (id: number) => ({
  ...endpointQuery('catalogue', itemHasOrders, { params: { id } }),
  staleTime: 0,
})

/** One call for the whole list: which of these items have orders, by id. */
export const haveOrdersQuery = (menuItemIds: number[]) => ({
  ...endpointQuery('catalogue', itemsHaveOrders, { body: { menuItemIds } }),
  staleTime: 0,
})

/** Creates the item, or updates the one with this id. */
export const saveItem = mutationOptions({
  mutationFn: ({ id, body }: { id: number | null; body: MenuItemFields }) =>
    id === null ? call(createMenuItem, { body }) : call(updateMenuItem, { params: { id }, body }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'catalogue'),
})

export const duplicate = mutationOptions({
  mutationFn: (itemIds: number[]) => call(duplicateItems, { body: { itemIds } }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'catalogue'),
})

export const archive = mutationOptions({
  mutationFn: ({ id, isArchived }: { id: number; isArchived: boolean }) =>
    call(setArchived, { params: { id }, body: { isArchived } }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'catalogue'),
})

export const archiveMany = mutationOptions({
  mutationFn: (body: { itemIds: number[]; isArchived: boolean }) => call(bulkArchive, { body }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'catalogue'),
})

export const removeItem = mutationOptions({
  mutationFn: (id: number) => call(deleteMenuItem, { params: { id } }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'catalogue'),
})

export const upload = mutationOptions({
  mutationFn: (file: File) => {
    const form = new FormData()
    form.set('file', file)
    return call(bulkUpload, { form })
  },
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'catalogue'),
})

type Switched = { id: number; isAvailable: boolean }

const withAvailability =
  ({ id, isAvailable }: Switched) =>
  (items: MenuItem[] | undefined) =>
    items?.map((item) => (item.id === id ? { ...item, isAvailable } : item))

/** Shown at once and taken back when the server refuses. */
export const switchAvailability = mutationOptions({
  mutationFn: ({ id, isAvailable }: Switched) =>
    call(setAvailability, { params: { id }, body: { isAvailable } }),
  onMutate: async (switched, { client }) => {
    await client.cancelQueries({ queryKey: menuQuery.queryKey })
    client.setQueryData(menuQuery.queryKey, withAvailability(switched))
  },
  onError: (_error, { id, isAvailable }, _before, { client }) => {
    client.setQueryData(menuQuery.queryKey, withAvailability({ id, isAvailable: !isAvailable }))
  },
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'catalogue'),
})
