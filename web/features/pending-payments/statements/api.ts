import { mutationOptions } from '@tanstack/react-query'
import type { QueryOf, ReplyOf } from '#contracts/endpoint'
import {
  confirmStatement,
  ignoreStatementRow,
  listStatements,
  type StatementMapping,
  statementRows,
  undoStatementRow,
  unignoreStatementRow,
  uploadStatement,
} from '#contracts/statements'
import { find, shortestFind } from '#contracts/find'
import { call } from '../../../lib/call'
import { endpointMutation, endpointQuery, listQuery, refreshes } from '../../../lib/endpoint-query'

export const statementsQuery = (page: number) => listQuery('payments', listStatements, { query: { page } })

export const rowsQuery = (id: number, query: QueryOf<typeof statementRows>) =>
  listQuery('payments', statementRows, { params: { id }, query })

export type Uploaded = ReplyOf<typeof uploadStatement>

/** Families that have nothing to pay, and meals that were cancelled unpaid, are found here alone. */
export const foundQuery = (text: string) => ({
  ...endpointQuery('payments', find, { query: { q: text } }),
  enabled: text.trim().length >= shortestFind,
})

type Upload = { file: File; source: string; mapping: StatementMapping | null }

/** Sends a statement; `mapping` says what its columns are where its layout is not known. */
export const upload = mutationOptions({
  mutationFn: ({ file, source, mapping }: Upload) => {
    const form = new FormData()
    form.set('source', source)
    if (mapping) form.set('mapping', JSON.stringify(mapping))
    form.set('file', file)
    return call(uploadStatement, { form })
  },
  onSettled: refreshes('payments'),
})

export const confirmRows = endpointMutation(confirmStatement, 'payments', 'ordering')
export const undoRow = endpointMutation(undoStatementRow, 'payments', 'ordering')
export const ignoreRow = endpointMutation(ignoreStatementRow, 'payments')
export const unignoreRow = endpointMutation(unignoreStatementRow, 'payments')
