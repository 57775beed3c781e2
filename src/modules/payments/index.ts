import type { Pool } from 'pg'
import type { JobQueue } from '#platform/jobs/job'
import type { Module } from '#platform/module'
import { termsOfCheckout } from './alternative/checkout.commands'
import { mailInstructionsWhenCheckoutStarted } from './alternative/mail-when-checkout-started.reactor'
import { mailInstructionsWork } from './alternative/mail.job'
import type { MailInstructionsNeeds } from './alternative/mail.job'
import { alternativePaymentsView } from './alternative/alternative-payments.view'
import type { PendingNeeds } from './alternative/pending.commands'
import { alternativeRoutes } from './alternative/alternative.routes'
import { acknowledgeWhenPaid } from './settlement/acknowledge-when-paid.reactor'
import { loadAttempt } from './attempt/attempts.commands'
import { attemptsBegunView } from './attempt/attempts-begun.view'
import { attemptsView } from './attempt/attempts.view'
import { cardCommands, cardNeeds } from './card/card.commands'
import type { CardNeeds } from './card/card.commands'
import { cardRoutes } from './card/card.routes'
import type { CardRouteNeeds } from './card/card.routes'
import { completeCheckout } from './checkout/complete-checkout.commands'
import { consoleRoutes } from './console/console.routes'
import type { ConsoleNeeds } from './console/console.routes'
import { finishFreeCheckouts } from './checkout/finish-free-checkouts.job'
import type { FreeCheckoutNeeds } from './checkout/free-checkout.commands'
import { fulfilWhenPaid } from './settlement/fulfil-when-paid.reactor'
import { mailParentWhenSettled } from './card/mail-parent-when-settled.reactor'
import { mailParentWork } from './card/mail-parent.job'
import { paymentMeasures } from './attempt/measures.rows'
import { owedBack } from './attempt/owed-back'
import { paidForLine } from './attempt/paid-for-line'
import { paymentRoutes } from './checkout/checkout.routes'
import { recoveryListRoutes } from './console/recovery-list.routes'
import type { RecoveryNeeds } from './console/recovery-list.routes'
import { answerPushWork } from './settlement/push.job'
import { pushRoutes } from './settlement/push.routes'
import type { PushRouteNeeds } from './settlement/push.routes'
import { recordRefundWhenPaidBack } from './settlement/record-refund-when-paid-back.reactor'
import { recordRefundWork } from './settlement/record-refund.job'
import { paymentRetentions } from './settlement/retention.rows'
import { paymentsStatuses } from './refusals'
import { settleCardPayments } from './settlement/settle-card-payments.job'
import { itemsInPayment, mealsInPayment } from './settlement/unfinished.rows'
import { settlingWorks } from './settlement/settle-payment.job'

export { dpoProvider } from './providers/dpo'
export { dpoTimeouts } from './providers/dpo-config'
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
