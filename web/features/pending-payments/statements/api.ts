import { mutationOptions } from '@tanstack/react-query'
import type { QueryOf, ReplyOf } from '#contracts/endpoint'
import { find, minFindLength } from '#contracts/find'
import {
  confirmStatement,
  countIn,
  ignoreStatementRows,
  leftOutOfStatement,
  unignoreStatementRows,
  ignoreStatementRow,
  listStatements,
  statementRows,
  undoStatementRow,
  unignoreStatementRow,
  uploadStatement,
  type StatementColumn,
  type StatementRow,
} from '#contracts/transfers'
import { call } from '../../../lib/call'
import { endpointMutation, endpointQuery, listQuery, refreshes } from '../../../lib/endpoint-query'
import { type MappedFile, uploadForm } from '../../../lib/files'
import { kwacha } from '../../../lib/format'
import { schoolClock, schoolDay } from '../../../lib/school-moment'

export const statementsQuery = (page: number) => listQuery('payments', listStatements, { query: { page } })

export const rowsQuery = (id: number, query: QueryOf<typeof statementRows>) =>
  listQuery('payments', statementRows, { params: { id }, query })

export type Uploaded = ReplyOf<typeof uploadStatement>

/** The only place that finds paid-up families and lapsed meals. */
export const foundQuery = (text: string) => ({
  ...endpointQuery('payments', find, { query: { q: text } }),
  enabled: text.trim().length >= minFindLength,
})

export const upload = mutationOptions({
  mutationFn: ({ source, ...file }: MappedFile & { source: string }) => {
    const form = uploadForm(file)
    form.set('source', source)
    return call(uploadStatement, { form })
  },
  onSettled: refreshes('payments'),
})

export const confirmRows = endpointMutation(confirmStatement, 'payments', 'ordering')
export const leftOutQuery = (id: number, page: number) =>
  listQuery('payments', leftOutOfStatement, { params: { id }, query: { page } })

export const countInRow = endpointMutation(countIn, 'payments')
export const ignoreRows = endpointMutation(ignoreStatementRows, 'payments')
export const unignoreRows = endpointMutation(unignoreStatementRows, 'payments')
export const undoRow = endpointMutation(undoStatementRow, 'payments', 'ordering')
export const ignoreRow = endpointMutation(ignoreStatementRow, 'payments')
export const unignoreRow = endpointMutation(unignoreStatementRow, 'payments')

/** Schools may add others. */
export const usualSources = ['airtel', 'mtn', 'bank'] as const

const sourceLabels: Record<string, string> = { airtel: 'Airtel Money', mtn: 'MTN Money', bank: 'Bank' }

export const sourceLabel = (source: string): string => sourceLabels[source] ?? source

export const columnLabels: Record<StatementColumn, string> = {
  at: 'Date and time',
  amount: 'Amount',
  in: 'Money in',
  out: 'Money out',
  direction: 'In or out (CR or DR)',
  type: 'Type of payment',
  balance: 'Balance after it',
  payer: 'Name of the payer',
  phone: 'Phone of the payer',
  text: 'Text or reference',
  transactionId: 'Transaction id',
  status: 'Status (successful or not)',
}

/** A file may have none of these. */
export const columnsOrNone: readonly StatementColumn[] = ['direction', 'type', 'status']

/** Without a time for a date-only statement. */
export const rowTime = (at: string): string => {
  const clock = schoolClock(at)
  return clock === '00:00' ? schoolDay(at) : `${schoolDay(at)}, ${clock}`
}

/** "K45.00 from JOHN BANDA, 16 Sep 2026, 09:05". */
export const rowText = ({ amount, payer, phone, at }: StatementRow): string =>
  `${kwacha(amount)} from ${payer ?? phone ?? 'an unknown payer'}, ${rowTime(at)}`

/** Orders one press pays: a row's match, or one family's named orders with the surplus as credit. Empty: choose by hand. */
export const readyOrders = ({ state, match, named, amount }: StatementRow): readonly string[] => {
  if (state === 'suggested') return match?.orderIds ?? []
  const fits = state === 'open' && named !== null && named.amount < amount && named.parents.length === 1
  return fits ? named.orderIds : []
}

/** Name and username. */
export const familyLabel = ({ name, username }: { name: string; username: string }): string =>
  name === '' ? username : `${name} (${username})`
