import { z } from 'zod'
import { moneyOf } from '#kernel/meal-line'
import { timeInWords } from '#kernel/school-time'
import { job, work, type JobWork } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { checkoutStarted } from '../attempt/events'
import { readAttemptEvent } from '../attempt/payment-attempt'
import { toPayFor } from '../attempt/credit-lines'
import { completeCheckout } from '../checkout/free-checkout.commands'
import type { PaymentsNeeds } from '../needs'
import { firstLapse, lapsingFrom } from './lapsing'
import { instructionsLetter } from './instructions'
import { readLapsingSince, readPaymentBypass } from './settings.rows'

const mailInstructionsJob = job({
  name: 'mail-payment-instructions',
  payload: z.object({ attemptId: z.uuid() }),
  attempts: 10,
  backoffMs: 1000,
})

export const mailInstructionsWhenStarted = (queue: PaymentsNeeds['queue']): Reactor => ({
  name: 'mail-instructions-when-alternative-checkout-started',
  types: [checkoutStarted.type],
  react: async (event) => {
    const read = readAttemptEvent(event)
    if (read?.type !== checkoutStarted.type || read.data.kind !== 'alternative') return
    const { attemptId } = read.data
    await queue.enqueue(mailInstructionsJob, { attemptId }, { id: `mail-${event.id}` })
  },
})

type Needs = Pick<
  PaymentsNeeds,
  'credit' | 'database' | 'eventStore' | 'identity' | 'now' | 'ordering' | 'zone'
>

/** Writes how to pay once the orders stand: a checkout that a crash cut off is ended first. */
export const mailInstructionsWork = (needs: Needs): JobWork =>
  work(mailInstructionsJob, async ({ attemptId }) => {
    const by = { actor: `job:${mailInstructionsJob.name}`, correlationId: attemptId }
    const { attempt } = await completeCheckout(needs)(attemptId, by)
    if (attempt.status !== 'fulfilled' || attempt.checkout.companyRef === null) return
    const { userId, companyRef, lines, payBy } = attempt.checkout
    const lapsesAt = firstLapse(
      lines.map((line) => ({ lapsesAt: moneyOf(line) > 0 ? new Date(line.cutoffAt) : null })),
      lapsingFrom(await readLapsingSince(needs.database.knex), needs.now(), needs.zone),
    )
    const letter = instructionsLetter(
      {
        reference: companyRef,
        amount: toPayFor(lines),
        meals: lines,
        payBy,
        until: lapsesAt && timeInWords(lapsesAt, needs.zone),
      },
      await readPaymentBypass(needs.database.knex),
    )
    await needs.identity.messageUser(userId, letter, `payment-instructions/${attemptId}`)
  })
