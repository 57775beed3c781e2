import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { auditEntries, auditExport } from '#contracts/audit'
import type { QueryOf } from '#contracts/endpoint'
import { ngweeFromDecimal } from '#kernel/money'
import { addDays, instantAt, schoolMoment } from '#kernel/school-time'
import { rawRoute, route, withFeature, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { entriesPage, type EntryFilter } from './entries.rows'
import { scopeOfAttempt, scopeOfOrder, scopeOfReference } from './scopes.view'
import { entryReply, namesIn } from './entry'
import { exportedEntries } from './export.commands'
import type { AuditNeeds } from '../needs'

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

  rawRoute({
    method: auditExport.method,
    path: auditExport.path,
    access: readers,
    serve: async (context, { query }) => {
      const filter = await filterOf(needs, parseInput(auditExport.query, query) as ExportQuery)
      const { date } = schoolMoment(needs.now(), needs.zone)
      context.set('Content-Type', 'text/csv; charset=utf-8')
      context.set('Content-Disposition', `attachment; filename="tuckshop-history-${date}.csv"`)
      context.body = Readable.from(exportedEntries(needs, filter))
    },
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
