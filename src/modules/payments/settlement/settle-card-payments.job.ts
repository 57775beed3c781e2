import { z } from 'zod'
import { handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import { job, type JobWork } from '#platform/jobs/job'
import { asked, sweepOf, whenever, workBy } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import {
  changeAttempt,
  loadAttempt,
  attemptCredit,
  type LoadedAttempt,
} from '../attempt/change-attempt.commands'
import { mismatchAccepted, paymentVerified, providerTokenIssued, recoveryStarted } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import { isMoneyOurs, type StartedAttempt } from '../attempt/payment-attempt'
import {
  acknowledgeForMs,
  acknowledgePauseMs,
  nextCheckAfter,
  decidePayment,
} from '../attempt/payment.decide'
import type { PaymentsNeeds } from '../ports'
import { giveUpDraft, processEnded } from './give-up.commands'
import { checkAt, nextCheckOf, recoverPaymentJob, verifyPaymentJob } from './payment-checks.commands'
import { answerPushes } from './push.commands'
import { endLostRecovery } from './recovery.commands'
import { fulfilAttempt, type SettlingNeeds } from './settle.commands'
import {
  dueChecks,
  isCheckDue,
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
/** So many at once that a slow provider delays no other. */
const atOnce = 5

/** Sweeps for abandoned card payments. */
export const cardPaymentSweeps = (needs: SettlingNeeds): Sweep[] => {
  const { database, now } = needs
  const { knex } = database
  const ago = (ms: number) => new Date(now().getTime() - ms)

  return [
    { name: 'answer-card-pushes', run: answerPushes(needs) },
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

/** Asks the provider, and notes when to ask again. */
const checkPayment =
  ({ database: { knex }, now, settle }: SettlingNeeds) =>
  async (id: string, by: By): Promise<void> => {
    const at = now()
    const { attempt } = await settle(id, { source: 'sweep' }, by)
    await noteCheck(knex, id, nextCheckOf(attempt, at))
  }

/** Asks after a token that was issued, by the schedule of payments.md section 5. */
export const verifyPayments = (needs: SettlingNeeds) => {
  const { database, now, queue } = needs
  let enqueued = new Set<string>()
  return whenever({
    queue,
    reactor: 'verify-payment-when-issued',
    after: [providerTokenIssued],
    asks: ({ data: { attemptId, at, limitAt } }) => {
      const first = { issuedAt: new Date(at), limitAt: new Date(limitAt) }
      // History may be heard again long after the last check.
      if (!nextCheckAfter(now(), first)) return []
      return [checkAt(needs, attemptId, nextCheckAfter(new Date(at), first)!)]
    },
    job: verifyPaymentJob,
    // Where somebody has asked since, the next time has its own job.
    act: async ({ attemptId }, by) => {
      if (await isCheckDue(database.pool, attemptId, now())) await checkPayment(needs)(attemptId, by)
    },
    sweep: {
      name: 'check-card-payments',
      due: async () => {
        const before = enqueued
        const due = await dueChecks(database.pool, now())
        enqueued = new Set(due.map(({ id }) => id))
        return due.map(({ id }) => ({ id, isLost: before.has(id) }))
      },
      id: ({ id }) => id,
      // What is due in the next round too has lost its job, or has no queue: the sweep asks itself.
      act: async ({ id, isLost }, by) => {
        const isAsked =
          !isLost &&
          (await queue
            .enqueue(verifyPaymentJob, { attemptId: id }, { id: `${id}-due-${now().getTime()}` })
            .then(
              () => true,
              () => false,
            ))
        if (!isAsked) await checkPayment(needs)(id, by)
      },
      atOnce,
    },
  })
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

const settlePaymentJob = job({
  name: 'settle-payment',
  payload: z.object({ attemptId: z.uuid() }),
  attempts: 5,
  backoffMs: 2_000,
})

/** Makes the orders of paid attempts when the verifying request could not. Repeatable (E14 to E16). */
export const settlePayments = (needs: PaymentsNeeds) =>
  whenever({
    queue: needs.queue,
    reactor: 'settle-payment-when-paid',
    after: [paymentVerified, mismatchAccepted, recoveryStarted],
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
    const { attempt, loaded } = await fulfilAttempt(needs)(attemptId, by)
    await acknowledge(needs, attempt, by, loaded)
  }

/** The provider expects it within 30 minutes. Repeatable. Throws without an answer, so that the job retries. */
export const acknowledgePayment =
  (needs: PaymentsNeeds) =>
  async (attemptId: string, by: By): Promise<void> =>
    acknowledge(needs, (await loadAttempt(needs, attemptId)).attempt, by)

const giveUpAcknowledgement =
  (needs: PaymentsNeeds) =>
  async (attemptId: string, by: By): Promise<void> => {
    await changeAttempt(needs, attemptId, by, (paid, now) =>
      decidePayment({ kind: 'give-up-acknowledgement', now }, paid),
    )
  }

const acknowledge = async (
  needs: PaymentsNeeds,
  attempt: StartedAttempt,
  by: By,
  known?: LoadedAttempt,
): Promise<void> => {
  if (!needs.provider || !isMoneyOurs(attempt) || !attempt.token || attempt.acknowledged) return
  const answer = await needs.provider.verify(attempt.token.token, { acknowledge: true })
  if (answer.kind !== 'says-paid' && answer.kind !== 'says-mismatch')
    throw new Error(`The card provider took no acknowledgement but answered ${answer.kind}`)
  await changeAttempt(needs, attempt.checkout.attemptId, by, acknowledged, { known })
}

const acknowledged = (paid: StartedAttempt, now: Date) =>
  decidePayment({ kind: 'record-acknowledgement', now }, paid)

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
