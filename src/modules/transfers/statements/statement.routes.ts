import type { QueryOf, ReplyOf } from '#contracts/endpoint'
import {
  countIn,
  ignoreStatementRow,
  ignoreStatementRows,
  leftOutOfStatement,
  listStatements,
  statementForm,
  statementRows,
  unignoreStatementRow,
  unignoreStatementRows,
  uploadStatement as uploadCall,
  type listStatements as listCall,
  type Statement,
  type StatementMatch,
  type StatementRow as RowReply,
  type statementRows as rowsCall,
} from '#contracts/transfers'
import { decimalFromNgwee, kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { jsonField, maxUploadBody, receiveUpload } from '#platform/http/body'
import { pageMetadataOf } from '#platform/http/paging'
import { replyJson } from '#platform/http/request'
import { answeredOnce, rawRoute, route, withFeature, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import type { Ports } from '#platform/ports'
import type { TransfersNeeds, Person } from '../ports'
import { refusal } from '../refusals'
import type { TransferRow } from '../transfers.view'
import { countRowIn } from './count-in.commands'
import { leftOutPage } from './left-out.rows'
import type { Matches, NamedInRow, RowMatch } from './match.decide'
import { matchOpenRows } from './matches.rows'
import { proveSoon } from './prove-transfers.commands'
import { alikeRows, type StatementRow } from './statement-row'
import { rowsByIds, setIgnored, rowsOfStatement, settledCounts, transfersOfRows } from './statement-rows.rows'
import { statementById, statementsPage, type StatementRecord } from './statements.rows'
import { uploadStatement } from './upload-statement.commands'

const access = withFeature('pending_payments')

export const statementRoutes = (needs: TransfersNeeds): Route[] => [
  rawRoute({
    method: uploadCall.method,
    path: uploadCall.path,
    access,
    options: { maxBodyBytes: maxUploadBody },
    serve: async (context, { user, by }) => {
      const { bytes, fileName, fields } = await receiveUpload(context)
      const form = formOf(fields)
      const done = await uploadStatement(needs, { bytes, fileName, ...form }, user, by)
      await proveSoon(needs, done.id)
      replyJson(context, uploadCall.status, uploadCall.reply.parse(done))
    },
  }),

  route(listStatements, access, ({ query }) => statementList(needs, query)),

  route(statementRows, access, ({ params, query }) => statementPage(needs, params.id, query)),

  route(leftOutOfStatement, access, ({ params, query }) => leftOutReply(needs, params.id, query.page)),

  route(countIn, access, (call) => countRowIn(needs)(call.params.id, call.body, call.by), answeredOnce),

  route(
    ignoreStatementRows,
    access,
    (call) => ignoreRows(needs, { ids: call.body.rowIds, ignored: true }, call.by),
    answeredOnce,
  ),

  route(
    unignoreStatementRows,
    access,
    (call) => ignoreRows(needs, { ids: call.body.rowIds, ignored: false }, call.by),
    answeredOnce,
  ),

  route(
    ignoreStatementRow,
    access,
    async (call) => {
      await ignoreRow(needs, { id: call.params.id, ignored: true }, call.by)
      return { message: 'Payment ignored' }
    },
    answeredOnce,
  ),

  route(
    unignoreStatementRow,
    access,
    async (call) => {
      await ignoreRow(needs, { id: call.params.id, ignored: false }, call.by)
      return { message: 'Payment open again' }
    },
    answeredOnce,
  ),
]

const formOf = (fields: ReadonlyMap<string, string>) => {
  const written = { source: fields.get('source') ?? '', ...jsonField(fields, 'mapping') }
  return parseInput(statementForm, written) as { source: string; mapping?: Record<string, string> }
}

const ignoreRow = async (
  needs: Ports,
  { id, ignored }: { id: string; ignored: boolean },
  by: By,
): Promise<void> => {
  const [skipped] = (await ignoreRows(needs, { ids: [id], ignored }, by)).skipped
  if (skipped) throw refusal(skipped.code)
}

type Ignored = {
  ignored: number
  skipped: { rowId: string; code: 'row_not_found' | 'row_confirmed'; message: string }[]
}

const ignoreRows = async (
  { database: { knex }, now }: Ports,
  { ids: asked, ignored }: { ids: readonly string[]; ignored: boolean },
  by: By,
): Promise<Ignored> => {
  const ids = [...new Set(asked)]
  const rows = new Map((await rowsByIds(knex, ids)).map((row) => [row.id, row]))
  const set = await knex.transaction(async (transaction) => {
    const set = await setIgnored(transaction, ids, ignored)
    const changed = [...rows.values()].filter((row) => set.has(row.id) && row.ignored !== ignored)
    const to = ignored ? 'ignored' : 'open again'
    const changes = changed.map(({ id, amount }) => `Payment ${id} of K${decimalFromNgwee(amount)} ${to}`)
    await recordChanges(
      transaction,
      { ...by, at: now() },
      changes.map((what) => ({ kind: 'settings' as const, what, old: null, new: null })),
    )
    return set
  })
  const skipped = ids
    .filter((id) => !set.has(id))
    .map((rowId) => {
      const code = rows.has(rowId) ? 'row_confirmed' : 'row_not_found'
      return { rowId, code, message: refusal(code).message } as const
    })
  return { ignored: set.size, skipped }
}

const leftOutPerPage = 50

const leftOutReply = async (
  { database: { knex } }: Ports,
  id: number,
  asked: number | undefined,
): Promise<ReplyOf<typeof leftOutOfStatement>> => {
  if (!(await statementById(knex, id))) throw refusal('statement_not_found')
  const page = Math.max(1, asked ?? 1)
  const { rows, total } = await leftOutPage(knex, id, {
    offset: (page - 1) * leftOutPerPage,
    limit: leftOutPerPage,
  })
  return { data: rows, metadata: pageMetadataOf(total, page, leftOutPerPage) }
}

const statementsPerPage = 20
const rowsPerPage = 50

type Matched = Matches & { rows: readonly StatementRow[] }
type People = ReadonlyMap<number, Person>

const statementList = async (
  needs: TransfersNeeds,
  { page: asked, limit = statementsPerPage }: QueryOf<typeof listCall>,
): Promise<ReplyOf<typeof listCall>> => {
  const page = Math.max(1, asked ?? 1)
  const { rows, total } = await statementsPage(needs.database.knex, { offset: (page - 1) * limit, limit })
  const data = await statementReplies(needs, rows, await matchOpenRows(needs))
  return { data, metadata: pageMetadataOf(total, page, limit) }
}

const statementReplies = async (
  { database: { knex }, identity }: TransfersNeeds,
  records: readonly StatementRecord[],
  { rows, matches }: Matched,
): Promise<Statement[]> => {
  const [settled, people] = await Promise.all([
    settledCounts(
      knex,
      records.map(({ id }) => id),
    ),
    identity.peopleOf(records.map(({ uploaded_by: userId }) => userId)),
  ])
  return records.map(({ id, source, file_name, uploaded_by, uploaded_at }) => {
    const open = rows.filter(({ statementId }) => statementId === id)
    const certain = open.map((row) => matches.get(row.id)?.certainty)
    const exact = certain.filter((certainty) => certainty === 'exact').length
    const likely = certain.filter((certainty) => certainty === 'likely').length
    const uploader = people.get(uploaded_by)
    return {
      id,
      source,
      fileName: file_name,
      uploadedAt: new Date(uploaded_at).toISOString(),
      uploadedBy: uploader?.name || uploader?.username || '',
      counts: {
        open: open.length - exact - likely,
        suggested: exact + likely,
        exact,
        likely,
        ...(settled.get(id) ?? { confirmed: 0, ignored: 0 }),
      },
    }
  })
}

const statementPage = async (
  needs: TransfersNeeds,
  id: number,
  { page: asked, limit = rowsPerPage, state, certainty }: QueryOf<typeof rowsCall>,
): Promise<ReplyOf<typeof rowsCall>> => {
  const { knex } = needs.database
  const record = await statementById(knex, id)
  if (!record) throw refusal('statement_not_found')
  const [rows, matched] = await Promise.all([rowsOfStatement(knex, id), matchOpenRows(needs)])
  const paid = await transfersOfRows(
    knex,
    rows.map((row) => row.id),
  )
  const wanted = rows.filter(
    (row) =>
      (state === undefined || stateOf(row, paid, matched) === state) &&
      (certainty === undefined || matched.matches.get(row.id)?.certainty === certainty),
  )
  const page = Math.max(1, asked ?? 1)
  const shown = wanted.slice((page - 1) * limit, page * limit)
  const people = await needs.identity.peopleOf(usersIn(shown, paid, matched))
  const [statement] = await statementReplies(needs, [record], matched)
  return {
    statement: statement!,
    data: shown.map((row) => ({
      ...factsOf(row),
      state: stateOf(row, paid, matched),
      match: matchReply(matched.matches.get(row.id), people),
      named: namedReply(matched.named.get(row.id), people),
      paid: paidReply(paid.get(row.id), people),
    })),
    alike: alikeRows(rows.filter((row) => stateOf(row, paid, matched) === 'open')),
    metadata: pageMetadataOf(wanted.length, page, limit),
  }
}

const factsOf = ({ id, at, amount, payer, phone, text, transactionId }: StatementRow) => ({
  id,
  at: at.toISOString(),
  amount: kwachaFromNgwee(amount),
  payer,
  phone,
  text,
  transactionId,
})

type Paid = ReadonlyMap<string, TransferRow>

const stateOf = ({ id, ignored }: StatementRow, paid: Paid, { matches }: Matched): RowReply['state'] => {
  if (paid.has(id)) return 'confirmed'
  if (ignored) return 'ignored'
  return matches.has(id) ? 'suggested' : 'open'
}

const usersIn = (rows: readonly StatementRow[], paid: Paid, { matches, named }: Matched): number[] => [
  ...new Set(
    rows.flatMap(({ id }) => [
      ...(matches.get(id)?.pays ?? []).map(({ userId }) => userId),
      ...(named.get(id)?.orders ?? []).map(({ userId }) => userId),
      ...(paid.get(id)?.user_ids ?? []),
    ]),
  ),
]

const sumOf = (parts: readonly { amount: Ngwee }[]): Ngwee =>
  parts.reduce((sum, { amount }) => sum + amount, 0)

const parentReply = (userId: number, people: People) => {
  const person = people.get(userId)
  return { id: userId, username: person?.username ?? '', name: person?.name ?? '' }
}

const parentsOf = (payments: readonly { userId: number }[], people: People) =>
  [...new Set(payments.map(({ userId }) => userId))].map((userId) => parentReply(userId, people))

const matchReply = (match: RowMatch | undefined, people: People): StatementMatch | null => {
  if (!match) return null
  const { pays, references, certainty, why } = match
  const parents = parentsOf(pays, people)
  const orderIds = pays.map(({ orderId }) => orderId)
  const amount = kwachaFromNgwee(sumOf(pays))
  return { orderIds, references: [...references], parent: parents[0]!, parents, amount, certainty, why }
}

const namedReply = (named: NamedInRow | undefined, people: People): RowReply['named'] =>
  named
    ? {
        references: [...named.references],
        orderIds: named.orders.map(({ id }) => id),
        parents: parentsOf(named.orders, people),
        amount: kwachaFromNgwee(named.orders.reduce((sum, { toPay }) => sum + toPay, 0)),
      }
    : null

const paidReply = (transfer: TransferRow | undefined, people: People): RowReply['paid'] =>
  transfer
    ? {
        at: new Date(transfer.confirmed_at).toISOString(),
        families: transfer.families.map(({ userId, orders, surplus }) => ({
          parent: parentReply(userId, people),
          orderIds: orders.map(({ orderId }) => orderId),
          amount: kwachaFromNgwee(sumOf(orders)),
          surplus: kwachaFromNgwee(surplus),
        })),
      }
    : null
