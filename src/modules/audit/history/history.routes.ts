import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import type { Pool } from 'pg'
import { maintenanceNow, auditEntries, auditExport, type ChangeDetails } from '#contracts/audit'
import { csvFormat } from '#contracts/csv'
import type { QueryOf } from '#contracts/endpoint'
import { attemptHistory, orderHistory } from '#contracts/payments-console'
import { ngweeFromDecimal, decimalFromNgwee } from '#kernel/money'
import { addDays, instantAt, schoolMoment } from '#kernel/school-time'
import { csvRoute } from '#platform/http/csv-route'
import { onlyRoles, route, withFeature, type Route } from '#platform/http/route'
import type { Head } from '../chain/chain.commands'
import type { AuditNeeds } from '../ports'
import { refusal } from '../refusals'
import {
  entriesBefore,
  entriesOf,
  entriesPage,
  scopeOfAttempt,
  scopeOfOrder,
  scopeOfReference,
  type EntryFilter,
  type Scope,
} from './entries.rows'
import { entryReply, historyReply, isChange, marksIn, type Names, type ShownEntry } from './entry'

const historyReaders = withFeature('live_orders', 'order_recovery', 'refunds', 'history')

export const historyRoutes = (needs: AuditNeeds): Route[] => {
  const { pool } = needs.database

  const reply = async (scope: Scope) => {
    const entries = await entriesOf(pool, scope)
    const names = await namesIn(needs, entries)
    return { data: entries.map((entry) => historyReply(entry, names, needs.zone)) }
  }

  return [
    route(maintenanceNow, onlyRoles('admin'), async () => {
      const running = await needs.maintenanceRunning()
      return { running: running && { what: running.what, since: running.since.toISOString() } }
    }),

    route(attemptHistory, historyReaders, async ({ params }) => {
      const scope = await scopeOfAttempt(pool, params.id)
      if (!scope) throw refusal('attempt_not_found')
      return reply(scope)
    }),

    route(orderHistory, historyReaders, async ({ params }) => {
      const scope = await scopeOfOrder(pool, params.id)
      if (!scope) throw refusal('order_not_found')
      return reply(scope)
    }),
  ]
}

type ExportQuery = QueryOf<typeof auditExport>

const pageSize = 50
const readers = withFeature('history', 'revenue')

export const entryRoutes = (needs: AuditNeeds): Route[] => [
  route(auditEntries, readers, async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const filter = await filterOf(needs, query)
    const { limit = pageSize, sort = 'time', direction = 'desc' } = query
    const offset = (page - 1) * limit
    const { rows, total } = await entriesPage(needs.database.pool, filter, { sort, direction, offset, limit })
    const names = await namesIn(needs, rows)
    const totalPages = Math.max(1, Math.ceil(total / limit))
    return {
      data: rows.map((row) => entryReply(row, names, needs.zone)),
      pagination: {
        page,
        totalEntries: total,
        totalPages,
        hasPreviousPage: page > 1,
        hasNextPage: page < totalPages,
      },
    }
  }),

  csvRoute(auditExport, readers, async (asked) => {
    const filter = await filterOf(needs, asked)
    const { date } = schoolMoment(needs.now(), needs.zone)
    return { name: `tuckshop-history-${date}.csv`, text: Readable.from(exportedEntries(needs, filter)) }
  }),
]

const filterOf = async (
  { database: { pool }, zone, identity }: AuditNeeds,
  asked: ExportQuery,
): Promise<EntryFilter> => ({
  from: asked.from === undefined ? null : instantAt(asked.from, 0, 0, zone),
  until: asked.to === undefined ? null : instantAt(addDays(asked.to, 1), 0, 0, zone),
  by: asked.who ? { users: await identity.usersNamed(asked.who), who: asked.who } : null,
  kind: asked.kind ?? null,
  about: asked.about ? await aboutOf(pool, asked.about) : null,
  minAmount: asked.minAmount === undefined ? null : ngweeFromDecimal(asked.minAmount),
})

const aboutOf = async (pool: Pool, id: string) =>
  (await scopeOfAttempt(pool, id)) ??
  (await scopeOfOrder(pool, id)) ??
  (await scopeOfReference(pool, id)) ??
  'nothing'

const numberColumn = 'Number'
const hashColumn = 'Hash'

const header = [
  numberColumn,
  'School time',
  'Who',
  'What',
  'Kind',
  'Amount (K)',
  'Attempt',
  'Order',
  'Details',
  'Event',
  hashColumn,
]

const exportedAtOnce = 500

export async function* exportedEntries(needs: AuditNeeds, filter: EntryFilter): AsyncGenerator<string> {
  yield csvLines([header], { bom: true })
  let before: string | null = null
  for (;;) {
    const page: ShownEntry[] = await entriesBefore(needs.database.pool, filter, before, exportedAtOnce)
    const last = page.at(-1)
    if (!last) return
    const names = await namesIn(needs, page)
    yield csvLines(page.map((entry) => cellsOf(entry, names, needs.zone)))
    if (page.length < exportedAtOnce) return
    before = last.position
  }
}

const cellsOf = (entry: ShownEntry, names: Names, zone: string): string[] => {
  const { schoolTime, who, what, details } = entryReply(entry, names, zone)
  return [
    entry.number === null ? '' : String(entry.number),
    schoolTime,
    who,
    what,
    entry.kind,
    entry.amount === null ? '' : decimalFromNgwee(entry.amount),
    entry.attempt_id ?? '',
    entry.order_id ?? '',
    Object.entries(isChange(details) ? changeText(details) : details)
      .map(([name, text]) => `${name}: ${text}`)
      .join('; '),
    entry.event_id,
    entry.hash ?? '',
  ]
}

const changeText = ({ old, new: now }: ChangeDetails): Record<string, string> => ({
  ...(old && { old: JSON.stringify(old) }),
  ...(now && { new: JSON.stringify(now) }),
})

/** Cells never start a formula; `bom` makes spreadsheets read UTF-8. */
export const csvLines = (rows: readonly (readonly string[])[], { bom = false } = {}): string =>
  stringify(rows as string[][], { ...csvFormat, bom })

const pieceSize = 1_000
const hexadecimal = /^[0-9a-f]{64}$/

export async function* earlierExport(path: string): AsyncGenerator<Head[]> {
  let piece: Head[] = []
  let found = 0
  try {
    for await (const line of linesOf(path)) {
      const number = Number(line[numberColumn])
      const hash = line[hashColumn] ?? ''
      if (!Number.isSafeInteger(number) || number < 1 || !hexadecimal.test(hash)) continue
      found += 1
      piece.push({ number, hash })
      if (piece.length < pieceSize) continue
      yield piece
      piece = []
    }
  } catch (error) {
    throw error instanceof CsvError ? refusal('not_an_export') : error
  }
  if (found === 0) throw refusal('not_an_export')
  if (piece.length > 0) yield piece
}

const linesOf = (path: string): AsyncIterable<Record<string, string | undefined>> => {
  const lines = parse({ bom: true, columns: true, relax_column_count: true })
  // `pipe` does not report a truncated file.
  createReadStream(path)
    .on('error', (error) => lines.destroy(error))
    .pipe(lines)
  return lines
}

export const namesIn = async (
  { identity, catalogue, reasonsOf }: AuditNeeds,
  entries: readonly Pick<ShownEntry, 'actor' | 'what' | 'details'>[],
): Promise<Names> => {
  const marks = [...new Set(entries.flatMap(marksIn))]
  const idsOf = (kind: string) =>
    marks.filter((mark) => mark.startsWith(`${kind}:`)).map((mark) => mark.split(':')[1]!)
  const [users, students, items, reasons] = await Promise.all([
    identity.usernamesOf(idsOf('user').map(Number)),
    identity.studentNamesOf(idsOf('student').map(Number)),
    catalogue.itemsByIds(idsOf('item').map(Number)),
    reasonsOf(idsOf('reason')),
  ])
  return new Map([
    ...[...users].map(([id, name]) => [`user:${id}`, name] as const),
    ...[...students].map(([id, name]) => [`student:${id}`, name] as const),
    ...[...items].map(([id, { name }]) => [`item:${id}`, name] as const),
    ...[...reasons].map(([id, reason]) => [`reason:${id}`, reason] as const),
  ])
}
