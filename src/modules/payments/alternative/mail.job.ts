import type { Pool } from 'pg'
import { z } from 'zod'
import { job, work } from '#platform/jobs/job'
import { instructionsLetter } from './instructions'
import { completeCheckout } from '../checkout/complete-checkout.commands'
import type { CompleteNeeds } from '../checkout/complete-checkout.commands'
import { readPaymentBypass } from './settings.rows'

export const mailInstructionsJob = job({
  name: 'mail-payment-instructions',
  payload: z.object({ attemptId: z.uuid() }),
  attempts: 10,
  backoffMs: 1000,
})

export type MailInstructionsNeeds = CompleteNeeds & {
  database: { pool: Pool }
  /** Writes to a user, once per id; false when there is no address. */
  mailUser: (userId: number, message: { subject: string; text: string }, id: string) => Promise<boolean>
}

/** Writes how to pay once the orders stand: a checkout that a crash cut off is ended first. */
const mailInstructions =
  (needs: MailInstructionsNeeds) =>
  async ({ attemptId }: { attemptId: string }): Promise<void> => {
    const by = { actor: 'job:mail-payment-instructions', correlationId: attemptId }
    const { attempt } = await completeCheckout(needs)(attemptId, by)
    if (attempt.status !== 'fulfilled' || attempt.checkout.companyRef === null) return
    const { userId, companyRef, total, lines } = attempt.checkout
    const letter = instructionsLetter(
      { reference: companyRef, amount: total, meals: lines.length },
      await readPaymentBypass(needs.database.pool),
    )
    await needs.mailUser(userId, letter, `payment-instructions/${attemptId}`)
  }

export const mailInstructionsWork = (needs: MailInstructionsNeeds) =>
  work(mailInstructionsJob, mailInstructions(needs))
