import type { Pool } from 'pg'
import type { Module } from '#platform/module'
import { attemptsView } from './attempts.view'
import { finishFreeCheckouts } from './finish-free-checkouts.job'
import type { FreeCheckoutNeeds } from './free-checkout.commands'
import { paymentRoutes } from './payments.routes'
import { paymentsStatuses } from './refusals'

export { dpoProvider } from './providers/dpo'
export { dpoTimeouts } from './providers/dpo-config'
export { sandboxProvider } from './providers/sandbox'
export type { CardProvider } from './providers/provider'

export type PaymentsNeeds = FreeCheckoutNeeds & { database: { pool: Pool } }

/** Payment attempts: every checkout is one, a free one too. */
export const paymentsModule = (needs: PaymentsNeeds): Module => ({
  name: 'payments',
  routes: paymentRoutes(needs),
  views: [attemptsView],
  reactors: [],
  jobs: [],
  sweeps: [finishFreeCheckouts(needs)],
  refusals: paymentsStatuses,
})
