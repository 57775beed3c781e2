import type { PaymentsNeeds } from '../ports'
import { handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import type { Sweep, Reactor } from '#platform/module'
import { giveUpDraft, processEnded } from '../card/issue-token.commands'
import { endLostRecovery } from '../console/recovery.commands'
import { answerPushes } from './push.routes'
import {
  acknowledgeForMs,
  acknowledgePauseMs,
  nextCheckAfter,
  decidePayment,
} from '../attempt/payment.decide'
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
import { fulfilAttempt, type VerifyAndSettle } from './settle.commands'
import { z } from 'zod'
import { job, work, type JobWork } from '#platform/jobs/job'
import {
  changeAttempt,
  loadAttempt,
  attemptCredit,
  type LoadedAttempt,
} from '../attempt/change-attempt.commands'
import { mismatchAccepted, paymentVerified, recoveryStarted } from '../attempt/events'
import { isMoneyOurs, readAttemptEvent, type StartedAttempt } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/fold'

type SweepNeeds = PaymentsNeeds & { settle: VerifyAndSettle }

// Longer than two token calls.
const draftGraceMs = 2 * 60_000
// The verifying request and the job go first.
const workGraceMs = 30_000
const maxAtOnce = 5

/** Sweeps for abandoned card payments, each on its own, so that a slow provider delays no other. */
export const cardPaymentSweeps = (needs: SweepNeeds): Sweep[] => {
  const { database, now, settle } = needs
  const { knex, pool } = database
  const ago = (ms: number) => new Date(now().getTime() - ms)

  return [
    { name: 'answer-card-pushes', run: answerPushes(needs) },
    sweep(
      'check-card-payments',
      () => dueChecks(pool, now()),
      async ({ id, ...token }, byOf) => {
        const at = now()
        await settle(id, { source: 'sweep' }, byOf(id))
        await noteCheck(knex, id, nextCheckAfter(at, token))
      },
    ),
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
    // Other recoveries continue when their payment is verified.
    if (!read || (read.type === recoveryStarted.type && read.data.prior !== 'blocked')) return
    await queue.enqueue(settlePaymentJob, { attemptId: read.data.attemptId }, { id: `settle-${event.id}` })
  },
})

export const settlePaymentWork = (needs: PaymentsNeeds): JobWork =>
  work(settlePaymentJob, ({ attemptId }, { jobId }) =>
    settlePayment(needs)(attemptId, { actor: `job:${settlePaymentJob.name}`, correlationId: jobId }),
  )

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
