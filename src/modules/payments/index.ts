import type { Pool } from 'pg'
import type { JobQueue } from '#platform/jobs/job'
import type { Module } from '#platform/module'
import { termsOfCheckout } from './alternative-checkout.commands'
import { mailInstructionsWhenCheckoutStarted } from './alternative-mail-when-checkout-started.reactor'
import { mailInstructionsWork } from './alternative-mail.job'
import type { MailInstructionsNeeds } from './alternative-mail.job'
import { alternativePaymentsView } from './alternative-payments.view'
import type { PendingNeeds } from './alternative-pending.commands'
import { alternativeRoutes } from './alternative.routes'
import { loadAttempt } from './attempts.commands'
import { attemptsView } from './attempts.view'
import { finishFreeCheckouts } from './finish-free-checkouts.job'
import type { FreeCheckoutNeeds } from './free-checkout.commands'
import { owedBack } from './owed-back'
import { paymentRoutes } from './payments.routes'
import { recordRefundWhenPaidBack } from './record-refund-when-paid-back.reactor'
import { recordRefundWork } from './record-refund.job'
import { paymentsStatuses } from './refusals'

export { dpoProvider } from './providers/dpo'
export { dpoTimeouts } from './providers/dpo-config'
export { sandboxProvider } from './providers/sandbox'
export type { CardProvider } from './providers/provider'

export type PaymentsNeeds = Omit<FreeCheckoutNeeds, 'termsOf'> &
  PendingNeeds &
  MailInstructionsNeeds & { database: { pool: Pool }; queue: Pick<JobQueue, 'enqueue'> }

/** Payment attempts: every checkout is one, a free one and one that is paid for otherwise too. */
export const paymentsModule = (needs: PaymentsNeeds) => ({
  ...checkoutsModule(needs),
  /** What an attempt owes back, as its stream tells it. */
  owedByAttempt: async (attemptId: string) =>
    owedBack((await loadAttempt(needs.eventStore, attemptId)).attempt),
})

const checkoutsModule = (needs: PaymentsNeeds): Module => ({
  name: 'payments',
  routes: [...paymentRoutes({ ...needs, termsOf: termsOfCheckout(needs) }), ...alternativeRoutes(needs)],
  views: [attemptsView, alternativePaymentsView],
  reactors: [mailInstructionsWhenCheckoutStarted(needs.queue), recordRefundWhenPaidBack(needs.queue)],
  jobs: [mailInstructionsWork(needs), recordRefundWork(needs)],
  sweeps: [finishFreeCheckouts(needs)],
  refusals: paymentsStatuses,
})
