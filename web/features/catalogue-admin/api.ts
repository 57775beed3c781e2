import { keepPreviousData, mutationOptions, type QueryClient } from '@tanstack/react-query'
import {
  bulkArchive,
  bulkUpload,
  createMenuItem,
  deleteMenuItem,
  duplicateItems,
  getMenuItem,
  itemHasOrders,
  itemsHaveOrders,
  type MenuItemFields,
  setArchived,
  setAvailability,
  updateMenuItem,
} from '#contracts/catalogue'
import type { QueryOf, ReplyOf } from '#contracts/endpoint'
import { listMenuItems } from '#contracts/menu-items'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read again whenever it is opened: others see to the menu too. */
export const itemsQuery = (asked: QueryOf<typeof listMenuItems>) => ({
  ...endpointQuery('catalogue', listMenuItems, { query: asked }),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

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

/** Every page of the list that was read, whatever it was asked for. */
const pages = { queryKey: ['catalogue', listMenuItems.path] }

const showAvailability = (client: QueryClient, { id, isAvailable }: Switched) =>
  client.setQueriesData(
    pages,
    (page: ReplyOf<typeof listMenuItems> | undefined) =>
      page && { ...page, data: page.data.map((item) => (item.id === id ? { ...item, isAvailable } : item)) },
  )

/** Shown at once and taken back when the server refuses. */
export const switchAvailability = mutationOptions({
  mutationFn: ({ id, isAvailable }: Switched) =>
    call(setAvailability, { params: { id }, body: { isAvailable } }),
  onMutate: async (switched, { client }) => {
    await client.cancelQueries(pages)
    showAvailability(client, switched)
  },
  onError: (_error, { id, isAvailable }, _before, { client }) =>
    showAvailability(client, { id, isAvailable: !isAvailable }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'catalogue'),
})
