import { handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import type { JobWork } from '#platform/jobs/job'
import { asked, sweepOf, whenever, workBy } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import { changeAttempt, loadAttempt, attemptCredit } from '../attempt/change-attempt.commands'
import { mismatchAccepted, recoveryStarted } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import { isMoneyOurs } from '../attempt/payment-attempt'
import { acknowledgeForMs, acknowledgePauseMs, decidePayment } from '../attempt/payment.decide'
import type { PaymentsNeeds } from '../ports'
import { giveUpDraft, processEnded } from './give-up.commands'
import { acknowledge, nextCheckOf, recoverPaymentJob, settlePaymentJob } from './payment-checks.commands'
import { answerPushes } from './push.commands'
import { endLostRecovery } from './recovery.commands'
import { fulfilAttempt, type SettlingNeeds } from './settle.commands'
import {
  dueChecks,
  forgetAcknowledgement,
  forgottenDrafts,
  lostRecoveries,
  noteCheck,
  noteRefusedAcknowledgement,
  paidNotFulfilled,
  unacknowledged,
  type Unacknowledged,
} from './unfinished.rows'

// Longer than two token calls.
const draftGraceMs = 2 * 60_000
// The verifying request and the job go first.
const workGraceMs = 30_000
const atOnce = 5

export const cardPaymentSweeps = (needs: SettlingNeeds): Sweep[] => {
  const { database, now } = needs
  const { knex } = database
  const ago = (ms: number) => new Date(now().getTime() - ms)

  return [
    { name: 'answer-card-pushes', run: answerPushes(needs) },
    sweepOf({
      name: 'check-card-payments',
      due: () => dueChecks(database.pool, now()),
      id: String,
      act: checkPayment(needs),
      atOnce,
    }),
    sweepOf({
      name: 'give-up-card-drafts',
      due: () => forgottenDrafts(knex, ago(draftGraceMs)),
      id: String,
      act: (attemptId, by) => giveUpDraft(needs)(attemptId, processEnded, null, by),
      atOnce,
    }),
    sweepOf({
      name: 'end-lost-recoveries',
      due: () => lostRecoveries(knex, now()),
      id: String,
      act: endLostRecovery(needs),
      atOnce,
    }),
    sweepOf({
      name: 'acknowledge-card-payments',
      due: async () => (needs.provider ? unacknowledged(knex, ago(workGraceMs), now()) : []),
      id: (payment) => payment.id,
      act: acknowledgeOrGiveUp(needs),
      atOnce,
    }),
  ]
}

/** Asks the provider, and notes when to ask again: by the schedule of payments.md section 5. */
const checkPayment =
  ({ database: { knex }, now, settle }: SettlingNeeds) =>
  async (id: string, by: By): Promise<void> => {
    const at = now()
    const { attempt } = await settle(id, { source: 'sweep' }, by)
    await noteCheck(knex, id, nextCheckOf(attempt, at))
  }

/** Acknowledges with growing pauses; gives up after a day and at least one try. */
const acknowledgeOrGiveUp =
  (needs: SettlingNeeds) =>
  async ({ id, since, failed }: Unacknowledged, by: By): Promise<void> => {
    const { knex } = needs.database
    const now = needs.now().getTime()
    if (failed > 0 && since.getTime() < now - acknowledgeForMs) await giveUpAcknowledgement(needs)(id, by)
    else
      await acknowledgePayment(needs)(id, by).catch(async (fault: unknown) => {
        const again = new Date(now + acknowledgePauseMs(failed + 1))
        await noteRefusedAcknowledgement(knex, id, failed + 1, again)
        throw fault
      })
    if (failed > 0) await forgetAcknowledgement(knex, id)
  }

/** Makes the orders of attempts that a person made paid, or of which a request could not. Repeatable (E14 to E16). */
export const settlePayments = (needs: PaymentsNeeds) =>
  whenever({
    queue: needs.queue,
    reactor: 'settle-payment-when-paid',
    after: [mismatchAccepted, recoveryStarted],
    asks: ({ type, data }, eventId) => {
      const about = { attemptId: data.attemptId }
      if (type !== recoveryStarted.type) return [asked(settlePaymentJob, about, { id: `settle-${eventId}` })]
      // The request asks the provider; the job does it after the lease of a request that has died.
      const delayMs = data.prior === 'blocked' ? 0 : Date.parse(data.leaseUntil) - Date.parse(data.at)
      return [asked(recoverPaymentJob, about, { id: `recover-${eventId}`, delayMs })]
    },
    job: settlePaymentJob,
    act: ({ attemptId }, by) => settlePayment(needs)(attemptId, by),
    sweep: {
      name: 'settle-card-payments',
      due: () => paidNotFulfilled(needs.database.knex, new Date(needs.now().getTime() - workGraceMs)),
      id: String,
      act: settlePayment(needs),
      atOnce,
    },
  })

/** Does nothing where the recovery has ended. */
export const recoverPaymentWork = (needs: SettlingNeeds): JobWork =>
  workBy(recoverPaymentJob, async ({ attemptId }, by) => {
    const { attempt } = await loadAttempt(needs, attemptId)
    if (isMoneyOurs(attempt)) return settlePayment(needs)(attemptId, by)
    if (attempt.status === 'recovering' && attempt.token)
      await needs.settle(attemptId, { source: 'sweep' }, by)
    await endLostRecovery(needs)(attemptId, by)
  })

const settlePayment =
  (needs: PaymentsNeeds) =>
  async (attemptId: string, by: By): Promise<void> => {
    await acknowledge(needs, await fulfilAttempt(needs)(attemptId, by), by)
  }

export const acknowledgePayment =
  (needs: PaymentsNeeds) =>
  async (attemptId: string, by: By): Promise<void> =>
    acknowledge(needs, await loadAttempt(needs, attemptId), by)

const giveUpAcknowledgement =
  (needs: PaymentsNeeds) =>
  async (attemptId: string, by: By): Promise<void> => {
    await changeAttempt(needs, attemptId, by, (paid, now) =>
      decidePayment({ kind: 'give-up-acknowledgement', now }, paid),
    )
  }

/** Repairs crashes between a checkout's end and its credit. */
export const followHeldCredit = (needs: PaymentsNeeds): Sweep => {
  const { credit, eventStore } = needs
  return sweepOf({
    name: 'follow-held-credit',
    due: credit.checkoutsThatHold,
    id: String,
    act: (attemptId, by) =>
      handleCommand(needs, by, async (at) => {
        const { state } = await loadStream(eventStore, paymentAttempt, attemptId)
        return { changes: (await attemptCredit(needs, state)).follow(state, at) }
      }),
  })
}
