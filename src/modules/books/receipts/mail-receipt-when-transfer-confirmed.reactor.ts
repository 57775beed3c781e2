import { z } from 'zod'
import { eventReader } from '#kernel/event'
import { transferConfirmed } from '#modules/payments/published'
import type { Reactor } from '#platform/module'
import { job, work, type JobWork } from '#platform/jobs/job'
import type { BooksNeeds } from '../needs'
import { receiptLetter } from './receipt-letter'
import { receiptCommands } from './receipts.commands'
import { receiptOfTransfer } from './transfer-receipts.view'

const mailReceiptJob = job({
  name: 'mail-receipt-of-transfer',
  payload: z.object({ receiptId: z.string(), userId: z.int() }),
  attempts: 10,
  backoffMs: 1_000,
})

const read = eventReader(transferConfirmed)

/** Each family hears that its payment has arrived. */
export const mailReceiptWhenTransferConfirmed = (queue: BooksNeeds['queue']): Reactor => ({
  name: 'mail-receipt-when-transfer-confirmed',
  types: [transferConfirmed.type],
  react: async (event) => {
    const data = read(event)?.data
    for (const { userId, orders, surplus } of data?.families ?? [])
      if (data && (orders.some(({ amount }) => amount > 0) || surplus > 0))
        await queue.enqueue(
          mailReceiptJob,
          { receiptId: receiptOfTransfer(data, userId), userId },
          { id: `receipt-${event.id}-${userId}` },
        )
  },
})

/** Writes once the receipt is counted, and not where the confirmation was undone meanwhile. */
export const mailReceiptWork = (needs: BooksNeeds): JobWork =>
  work(mailReceiptJob, async ({ receiptId, userId }) => {
    const receipt = await receiptCommands(needs).receiptOf(receiptId)
    if (!receipt) throw new Error('The receipt is not counted yet')
    if (receipt.creditNotes.length > 0) return
    await needs.identity.messageUser(userId, receiptLetter(receipt, needs.publicUrl), `receipt/${receiptId}`)
  })
