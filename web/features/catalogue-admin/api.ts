import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import {
  createMenuItem,
  deleteMenuItem,
  getMenuItem,
  itemHasOrders,
  setArchived,
  setAvailability,
  updateMenuItem,
  bulkUpload,
  bulkArchive,
  duplicateItems,
  itemsHaveOrders,
  listMenuItems,
  listPortions,
  setSoldOut,
} from '#contracts/catalogue'
import type { BodyOf, QueryOf, ReplyOf } from '#contracts/endpoint'
import { uploadPicture } from '#contracts/pictures'
import { call } from '../../lib/call'
import { endpointMutation, endpointQuery, listQuery, refreshes } from '../../lib/endpoint-query'
import { smallerPicture } from './smaller-picture'

export const itemsQuery = (query: QueryOf<typeof listMenuItems>) =>
  listQuery('catalogue', listMenuItems, { query })

/** Refetched whenever shown: every order changes it. */
export const portionsQuery = (from: string, to: string) => ({
  ...endpointQuery('catalogue', listPortions, { query: { from, to } }),
  staleTime: 0,
})

export const menuItemQuery = (id: number) => endpointQuery('catalogue', getMenuItem, { params: { id } })

/** Refetched whenever shown: an order may have come. */
export const hasOrdersQuery = (id: number) => ({
  ...endpointQuery('catalogue', itemHasOrders, { params: { id } }),
  staleTime: 0,
})

/** One call for the list. */
export const haveOrdersQuery = (menuItemIds: number[]) => ({
  ...endpointQuery('catalogue', itemsHaveOrders, { body: { menuItemIds } }),
  staleTime: 0,
})

export const saveItem = mutationOptions({
  mutationFn: ({ id, body }: { id: number | null; body: BodyOf<typeof updateMenuItem> }) =>
    id === null ? call(createMenuItem, { body }) : call(updateMenuItem, { params: { id }, body }),
  onSettled: refreshes('catalogue'),
})

export const duplicate = endpointMutation(duplicateItems, 'catalogue')
export const archive = endpointMutation(setArchived, 'catalogue')
export const archiveMany = endpointMutation(bulkArchive, 'catalogue')
export const sellOut = endpointMutation(setSoldOut, 'catalogue')
export const removeItem = endpointMutation(deleteMenuItem, 'catalogue')
export const upload = endpointMutation(bulkUpload, 'catalogue')

/** The item shows it after saving. */
export const uploadedPicture = mutationOptions({
  mutationKey: ['picture'],
  mutationFn: async (file: File) => {
    const form = new FormData()
    form.set('file', await smallerPicture(file), file.name)
    return call(uploadPicture, { form })
  },
})

type Switched = { id: number; isAvailable: boolean }

/** Cached pages of the list with any filter. */
const pages = { queryKey: ['catalogue', listMenuItems.path] }

const showAvailability = (client: QueryClient, { id, isAvailable }: Switched) =>
  client.setQueriesData(
    pages,
    (page: ReplyOf<typeof listMenuItems> | undefined) =>
      page && { ...page, data: page.data.map((item) => (item.id === id ? { ...item, isAvailable } : item)) },
  )

/** Optimistic. */
export const switchAvailability = mutationOptions({
  mutationFn: ({ id, isAvailable }: Switched) =>
    call(setAvailability, { params: { id }, body: { isAvailable } }),
  onMutate: async (switched, { client }) => {
    await client.cancelQueries(pages)
    showAvailability(client, switched)
  },
  onError: (_error, { id, isAvailable }, _before, { client }) =>
    showAvailability(client, { id, isAvailable: !isAvailable }),
  onSettled: refreshes('catalogue'),
})
