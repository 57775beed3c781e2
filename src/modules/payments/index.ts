import type { Pool } from 'pg'
import type { Module } from '#platform/module'
import { attemptsView } from './attempts.view'
import { completeCheckout } from './complete-checkout.commands'
import { finishFreeCheckouts } from './finish-free-checkouts.job'
import type { FreeCheckoutNeeds } from './free-checkout.commands'
import { paymentRoutes } from './payments.routes'
import { paymentsStatuses } from './refusals'

export type PaymentsNeeds = FreeCheckoutNeeds & { database: { pool: Pool } }

/** Payment attempts: every checkout is one. For siblings and repair: ending a checkout that was cut off. */
export const paymentsModule = (needs: PaymentsNeeds) => {
  const module: Module = {
    name: 'payments',
    routes: paymentRoutes(needs),
    views: [attemptsView],
    reactors: [],
    jobs: [],
    sweeps: [finishFreeCheckouts(needs)],
    refusals: paymentsStatuses,
  }
  return { ...module, completeCheckout: completeCheckout(needs) }
}
