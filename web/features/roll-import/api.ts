import { keepPreviousData, mutationOptions, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { QueryOf } from '#contracts/endpoint'
import {
  applyRoll,
  lastRollImport,
  leavingChildren,
  previewedRows,
  previewRoll,
  undoRoll,
  type RollRow,
} from '#contracts/roll-import'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'
import { sendFile } from '../../lib/send-file'

/** Where the cache has what belongs to an import under way. */
export const importKey = ['roll-import'] as const

type Sending = { file: File; onSent: (share: number) => void }

/** Has a file looked through, which changes nothing; `onSent` is told how much of it has gone. */
export const look = mutationOptions({
  mutationFn: ({ file, onSent }: Sending) => sendFile(previewRoll, file, onSent),
})

/** Rows of a preview. They stay as they were shown: where the roll changes, the whole preview is made anew. */
export const rowsQuery = (id: string, query: QueryOf<typeof previewedRows>) => ({
  ...endpointQuery('identity', previewedRows, { params: { id }, query }),
  queryKey: [...importKey, id, query] as QueryKey,
  placeholderData: keepPreviousData,
})

/** Who would leave by a preview. */
export const leavingQuery = (id: string, page: number) => ({
  ...endpointQuery('identity', leavingChildren, { params: { id }, query: { page } }),
  queryKey: [...importKey, id, 'leaving', page] as QueryKey,
  placeholderData: keepPreviousData,
})

const rowsAtOnce = 200

/** All rows of a preview on which the office has to decide, read page by page. */
export const allMatched = async (client: QueryClient, id: string): Promise<RollRow[]> => {
  const rows: RollRow[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { page, limit: rowsAtOnce, state: 'matched' as const }
    const { data, metadata } = await client.fetchQuery(rowsQuery(id, query))
    rows.push(...data)
    pages = metadata.totalPages
  }
  return rows
}

export const applying = endpointMutation(applyRoll, 'identity', 'ordering')

export const lastQuery = endpointQuery('identity', lastRollImport, {})
export const undoing = endpointMutation(undoRoll, 'identity', 'ordering')
