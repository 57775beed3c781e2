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
import { acknowledgeWhenPaid } from './acknowledge-when-paid.reactor'
import { loadAttempt } from './attempts.commands'
import { attemptsBegunView } from './attempts-begun.view'
import { attemptsView } from './attempts.view'
import { cardCommands, cardNeeds } from './card.commands'
import type { CardNeeds } from './card.commands'
import { cardRoutes } from './card.routes'
import type { CardRouteNeeds } from './card.routes'
import { completeCheckout } from './complete-checkout.commands'
import { consoleRoutes } from './console.routes'
import type { ConsoleNeeds } from './console.routes'
import { finishFreeCheckouts } from './finish-free-checkouts.job'
import type { FreeCheckoutNeeds } from './free-checkout.commands'
import { fulfilWhenPaid } from './fulfil-when-paid.reactor'
import { mailParentWhenSettled } from './mail-parent-when-settled.reactor'
import { mailParentWork } from './mail-parent.job'
import { paymentMeasures } from './measures.rows'
import { owedBack } from './owed-back'
import { paidForLine } from './paid-for-line'
import { paymentRoutes } from './payments.routes'
import { recoveryListRoutes } from './recovery-list.routes'
import type { RecoveryNeeds } from './recovery-list.routes'
import { answerPushWork } from './push.job'
import { pushRoutes } from './push.routes'
import type { PushRouteNeeds } from './push.routes'
import { recordRefundWhenPaidBack } from './record-refund-when-paid-back.reactor'
import { recordRefundWork } from './record-refund.job'
import { paymentRetentions } from './retention.rows'
import { paymentsStatuses } from './refusals'
import { settleCardPayments } from './settle-card-payments.job'
import { itemsInPayment, mealsInPayment } from './unfinished.rows'
import { settlingWorks } from './settle-payment.job'

export { dpoProvider } from './providers/dpo'
export { dpoTimeouts } from './providers/dpo-config'
export { sandboxProvider } from './providers/sandbox'
export type { CardProvider } from './providers/provider'

export type PaymentsNeeds = Omit<FreeCheckoutNeeds, 'termsOf'> &
  PendingNeeds &
  MailInstructionsNeeds &
  CardNeeds &
  CardRouteNeeds &
  Omit<ConsoleNeeds, 'completeFree'> &
  RecoveryNeeds &
  Pick<PushRouteNeeds, 'pushSecret'> & { database: { pool: Pool }; queue: Pick<JobQueue, 'enqueue'> }

/** Payment attempts: every checkout is one, a free one and one that is paid for otherwise too. */
export const paymentsModule = (needs: PaymentsNeeds) => ({
  ...checkoutsModule(needs),
  /** Items and meals of students that a payment still needs: neither is to be deleted meanwhile. */
  itemsInPayment: (itemIds: readonly number[]) => itemsInPayment(needs.database.pool, itemIds),
  mealsInPayment: (studentIds: readonly number[]) => mealsInPayment(needs.database.pool, studentIds),
  /** What an attempt owes back, as its stream tells it. */
  owedByAttempt: async (attemptId: string) =>
    owedBack((await loadAttempt(needs.eventStore, attemptId)).attempt),
  /** What was received for one of its lines, in ngwee. */
  paidForLine: async (attemptId: string, line: number) =>
    paidForLine((await loadAttempt(needs.eventStore, attemptId)).attempt, line),
})

const checkoutsModule = (needs: PaymentsNeeds): Module => {
  const card = cardNeeds(needs)
  const commands = cardCommands(card)
  const { queue } = needs
  return {
    name: 'payments',
    routes: [
      ...paymentRoutes({ ...needs, termsOf: termsOfCheckout(needs) }),
      ...alternativeRoutes(needs),
      ...cardRoutes(commands, needs),
      ...consoleRoutes(commands, { ...needs, completeFree: completeCheckout(needs) }),
      ...recoveryListRoutes(needs),
      ...pushRoutes({ ...needs, ...card }),
    ],
    views: [attemptsView, attemptsBegunView, alternativePaymentsView],
    reactors: [
      mailInstructionsWhenCheckoutStarted(queue),
      recordRefundWhenPaidBack(queue),
      fulfilWhenPaid(queue),
      acknowledgeWhenPaid(queue),
      mailParentWhenSettled(queue),
    ],
    jobs: [
      mailInstructionsWork(needs),
      recordRefundWork(needs),
      ...settlingWorks(card),
      mailParentWork(needs),
      answerPushWork(card),
    ],
    sweeps: [finishFreeCheckouts(needs), settleCardPayments(card)],
    measures: paymentMeasures(needs),
    retentions: paymentRetentions(needs),
    refusals: paymentsStatuses,
  }
}
