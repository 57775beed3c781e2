import { openPayments } from '#contracts/open-payments'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { pendingPayments } from '#contracts/pending-payments'
import { onlyRoles, route, signedIn, withFeature, type Route } from '#platform/http/route'
import { visibleBypass } from './instructions'
import type { PaymentsNeeds } from '../needs'
import { openPaymentsOf } from './open-payments.commands'
import { pendingPaymentsPage } from './pending.commands'
import { setPaymentBypass } from './settings.commands'
import { readPaymentBypass, switchedOff } from './settings.rows'

/** Paying outside of the card provider: the settings, and what has yet to be paid. */
export const alternativeRoutes = (
  needs: Pick<PaymentsNeeds, 'database' | 'identity' | 'ordering' | 'now' | 'zone'>,
): Route[] => [
  route(getPaymentBypass, signedIn, async ({ user }) =>
    visibleBypass(await readPaymentBypass(needs.database.knex), switchedOff, user.role),
  ),

  route(
    savePaymentBypass,
    withFeature('settings'),
    ({ body, user, actor, correlationId }) => setPaymentBypass(needs, body, user, { actor, correlationId }),
    { limit: { name: 'payment-bypass', points: 20, seconds: 300, by: 'user' } },
  ),

  route(openPayments, onlyRoles('parent', 'teacher'), async ({ user }) => ({
    data: await openPaymentsOf(needs, user.userId),
  })),

  route(pendingPayments, withFeature('pending_payments'), ({ query }) => pendingPaymentsPage(needs, query)),
]
