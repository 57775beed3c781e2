import { maintenanceNow } from '#contracts/audit'
import { attemptHistory, orderHistory } from '#contracts/payments-console'
import { onlyRoles, route, withFeature, type Route } from '#platform/http/route'
import { entriesOf } from './entries.rows'
import { scopeOfAttempt, scopeOfOrder, type Scope } from './scopes.view'
import { historyReply, namesIn } from './entry'
import type { AuditNeeds } from '../needs'
import { refusal } from '../refusals'

const readers = withFeature('live_orders', 'order_recovery', 'refunds', 'history')

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

    route(attemptHistory, readers, async ({ params }) => {
      const scope = await scopeOfAttempt(pool, params.id)
      if (!scope) throw refusal('attempt_not_found')
      return reply(scope)
    }),

    route(orderHistory, readers, async ({ params }) => {
      const scope = await scopeOfOrder(pool, params.id)
      if (!scope) throw refusal('order_not_found')
      return reply(scope)
    }),
  ]
}
