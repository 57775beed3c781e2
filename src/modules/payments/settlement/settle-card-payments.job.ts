import { z } from 'zod'
import { handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import { job, work, type JobWork } from '#platform/jobs/job'
import type { Sweep, Reactor } from '#platform/module'
import {
  changeAttempt,
  loadAttempt,
  attemptCredit,
  type LoadedAttempt,
} from '../attempt/change-attempt.commands'
import { mismatchAccepted, paymentVerified, providerTokenIssued, recoveryStarted } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import { isMoneyOurs, readAttemptEvent, type StartedAttempt } from '../attempt/payment-attempt'
import {
  acknowledgeForMs,
  acknowledgePauseMs,
  nextCheckAfter,
  decidePayment,
} from '../attempt/payment.decide'
import { giveUpDraft, processEnded } from '../card/issue-token.commands'
import { endLostRecovery } from '../console/recovery.commands'
import type { PaymentsNeeds } from '../ports'
import { answerPushes } from './push.routes'
import { fulfilAttempt, type VerifyAndSettle } from './settle.commands'
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
import { enqueueCheck, nextCheckOf, recoverPaymentJob, verifyPaymentJob } from './verify-payment.job'

type SweepNeeds = PaymentsNeeds & { settle: VerifyAndSettle }

// Longer than two token calls.
const draftGraceMs = 2 * 60_000
// The verifying request and the job go first.
const workGraceMs = 30_000
const maxAtOnce = 5

/** Sweeps for abandoned card payments, each on its own, so that a slow provider delays no other. */
export const cardPaymentSweeps = (needs: SweepNeeds): Sweep[] => {
  const { database, now } = needs
  const { knex } = database
  const ago = (ms: number) => new Date(now().getTime() - ms)

  return [
    { name: 'answer-card-pushes', run: answerPushes(needs) },
    checkSweep(needs),
    sweep(
      'give-up-card-drafts',
      () => forgottenDrafts(knex, ago(draftGraceMs)),
      (id, byOf) => giveUpDraft(needs)(id, processEnded, null, byOf(id)),
    ),
    sweep(
      'end-lost-recoveries',
      () => lostRecoveries(knex, now()),
      (id, byOf) => endLostRecovery(needs)(id, byOf(id)),
    ),
    sweep(
      'settle-card-payments',
      () => paidNotFulfilled(knex, ago(workGraceMs)),
      (id, byOf) => settlePayment(needs)(id, byOf(id)),
    ),
    sweep(
      'acknowledge-card-payments',
      async () => (needs.provider ? unacknowledged(knex, ago(workGraceMs), now()) : []),
      (payment, byOf) => acknowledgeOrGiveUp(needs)(payment, byOf(payment.id)),
    ),
  ]
}

/** Enqueues what is due. What is due in the next round too has lost its job, or has no queue: the sweep asks itself. */
const checkSweep = (needs: SweepNeeds): Sweep => {
  const { database, now, queue } = needs
  let enqueued = new Set<string>()
  const find = async () => {
    const before = enqueued
    const due = await dueChecks(database.pool, now())
    enqueued = new Set(due.map(({ id }) => id))
    return due.map(({ id }) => ({ id, isLost: before.has(id) }))
  }
  return sweep('check-card-payments', find, async ({ id, isLost }, byOf) => {
    const enqueue = async () =>
      queue.enqueue(verifyPaymentJob, { attemptId: id }, { id: `${id}-due-${now().getTime()}` })
    const isAsked =
      !isLost &&
      (await enqueue().then(
        () => true,
        () => false,
      ))
    if (!isAsked) await checkPayment(needs)(id, byOf(id))
  })
}

/** Asks the provider, and notes when to ask again. */
const checkPayment =
  ({ database: { knex }, now, settle }: SweepNeeds) =>
  async (id: string, by: By): Promise<void> => {
    const at = now()
    const { attempt } = await settle(id, { source: 'sweep' }, by)
    await noteCheck(knex, id, nextCheckOf(attempt, at))
  }

/** Does nothing where somebody has asked since: the next time has its own job. */
export const verifyPaymentWork = (needs: SweepNeeds): JobWork =>
  work(verifyPaymentJob, async ({ attemptId }, { jobId }) => {
    if (!(await isCheckDue(needs.database.pool, attemptId, needs.now()))) return
    await checkPayment(needs)(attemptId, { actor: `job:${verifyPaymentJob.name}`, correlationId: jobId })
  })

export const verifyWhenIssued = (needs: Pick<PaymentsNeeds, 'queue' | 'now'>): Reactor => ({
  name: 'verify-payment-when-issued',
  types: [providerTokenIssued.type],
  react: async (event) => {
    const read = readAttemptEvent(event)
    if (read?.type !== providerTokenIssued.type) return
    const { attemptId, at, limitAt } = read.data
    const first = { issuedAt: new Date(at), limitAt: new Date(limitAt) }
    // History may be heard again long after the last check.
    if (nextCheckAfter(needs.now(), first))
      await enqueueCheck(needs, attemptId, nextCheckAfter(new Date(at), first)!)
  },
})

const sweep = <Item>(
  name: string,
  find: () => Promise<readonly Item[]>,
  act: (item: Item, byOf: (id: string) => By) => Promise<unknown>,
): Sweep => {
  const byOf = (id: string) => ({ actor: `job:${name}`, correlationId: id })
  return { name, run: async () => each(await find(), (item) => act(item, byOf)) }
}

/** Acknowledges with growing pauses; gives up after a day and at least one try. */
const acknowledgeOrGiveUp =
  (needs: SweepNeeds) =>
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

const each = async <Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> => {
  const faults: unknown[] = []
  for (let from = 0; from < items.length; from += maxAtOnce) {
    const done = await Promise.allSettled(items.slice(from, from + maxAtOnce).map(act))
    faults.push(...done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${items.length}`)
}

const settlePaymentJob = job({
  name: 'settle-payment',
  payload: z.object({ attemptId: z.uuid() }),
  attempts: 5,
  backoffMs: 2_000,
})

/** Makes the orders of paid attempts when the verifying request could not; the sweep is the fallback. */
export const settleWhenPaid = (queue: PaymentsNeeds['queue']): Reactor => ({
  name: 'settle-payment-when-paid',
  types: [paymentVerified.type, mismatchAccepted.type, recoveryStarted.type],
  react: async (event) => {
    const read = readAttemptEvent(event)
    if (!read) return
    if (read.type === recoveryStarted.type) {
      // The request asks the provider; the job does it after the lease of a request that has died.
      const delayMs =
        read.data.prior === 'blocked' ? 0 : Date.parse(read.data.leaseUntil) - Date.parse(read.data.at)
      const { attemptId } = read.data
      return queue.enqueue(recoverPaymentJob, { attemptId }, { id: `recover-${event.id}`, delayMs })
    }
    await queue.enqueue(settlePaymentJob, { attemptId: read.data.attemptId }, { id: `settle-${event.id}` })
  },
})

export const settlePaymentWork = (needs: PaymentsNeeds): JobWork =>
  work(settlePaymentJob, ({ attemptId }, { jobId }) =>
    settlePayment(needs)(attemptId, { actor: `job:${settlePaymentJob.name}`, correlationId: jobId }),
  )

/** Does nothing where the recovery has ended. */
export const recoverPaymentWork = (needs: SweepNeeds): JobWork =>
  work(recoverPaymentJob, async ({ attemptId }, { jobId }) => {
    const by = { actor: `job:${recoverPaymentJob.name}`, correlationId: jobId }
    const { attempt } = await loadAttempt(needs, attemptId)
    if (isMoneyOurs(attempt)) return settlePayment(needs)(attemptId, by)
    if (attempt.status === 'recovering' && attempt.token)
      await needs.settle(attemptId, { source: 'sweep' }, by)
    await endLostRecovery(needs)(attemptId, by)
  })

/** Repeatable (E14 to E16). */
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
  const name = 'follow-held-credit'
  const follow = (id: string) =>
    handleCommand(needs, { actor: `job:${name}`, correlationId: id }, async (at) => {
      const { state } = await loadStream(eventStore, paymentAttempt, id)
      return { changes: (await attemptCredit(needs, state)).follow(state, at) }
    })
  return {
    name,
    run: async () => {
      const faults: unknown[] = []
      for (const id of await credit.checkoutsThatHold())
        await follow(id).catch((fault: unknown) => faults.push(fault))
      if (faults.length > 0)
        throw new AggregateError(faults, `Held credit of ${faults.length} checkouts could not be followed`)
    },
  }
}
