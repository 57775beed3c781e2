import { getOrderingRules, orderingRules, saveOrderingRules, type OrderingRules } from '#contracts/ordering'
import type { cached } from '#platform/cached'
import { signedIn, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { inOneRow, settingsRoutes } from '#platform/settings'

const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const storedRules = inOneRow('ordering.rules', orderingRules, columnOf)

export const orderingRulesRoutes = (needs: Ports, cache: ReturnType<typeof cached<OrderingRules>>): Route[] =>
  settingsRoutes(needs, {
    endpoints: [getOrderingRules, saveOrderingRules],
    readers: signedIn,
    stored: storedRules,
    what: 'Ordering rules changed',
    completed: (given, before) => ({ ...before, ...given }),
    cache,
  })
