import { z } from 'zod'
import { eventReader } from '#kernel/event'
import { transferConfirmed } from '#modules/transfers/published'
import type { Reactor } from '#platform/module'
import { job, work } from '#platform/jobs/job'
import { lettersOf } from '#platform/letters'
import type { BooksNeeds } from '../needs'
import { receiptLetter } from './receipt-letter'
import { receiptCommands } from './receipts.commands'
import { untoldReceipts } from './receipts.rows'
import { receiptOfTransfer } from './transfer-receipts.view'

const mailReceiptJob = job({
  name: 'mail-receipt-of-transfer',
  payload: z.object({ receiptId: z.string(), userId: z.int(), position: z.string() }),
  attempts: 10,
  backoffMs: 1_000,
})

const read = eventReader(transferConfirmed)

export const mailReceiptWhenTransferConfirmed = (queue: BooksNeeds['queue']): Reactor => ({
  name: 'mail-receipt-when-transfer-confirmed',
  types: [transferConfirmed.type],
  react: async (event) => {
    const data = read(event)?.data
    for (const { userId, orders, surplus } of data?.families ?? [])
      if (data && (orders.some(({ amount }) => amount > 0) || surplus > 0))
        await queue.enqueue(
          mailReceiptJob,
          { receiptId: receiptOfTransfer(data, userId), userId, position: event.position },
          { id: `receipt-${event.id}-${userId}` },
        )
  },
})

export const receiptLetters = (needs: BooksNeeds) => {
  const { database, now, messaging, publicUrl, waitForViews } = needs
  const { receiptOf } = receiptCommands(needs)
  const letters = lettersOf<{ id: string; userId: number }>({
    database,
    now,
    name: 'write-receipt-letters',
    notes: 'books.letters_written',
    due: (time, isUndone) => untoldReceipts(database.knex, time, isUndone),
    write: async (due) => {
      const done: { id: string; userId: number }[] = []
      for (const letter of due) {
        const { id, userId } = letter
        const receipt = await receiptOf(id)
        // Not numbered yet.
        if (!receipt) continue
        // An undone confirmation sends nothing.
        if (receipt.creditNotes.length === 0)
          await messaging.messageUser(userId, receiptLetter(receipt, publicUrl), `receipt/${id}`)
        done.push(letter)
      }
      return done
    },
  })
  const job = work(mailReceiptJob, async ({ receiptId, userId, position }) => {
    await waitForViews(position)
    await letters.writeOnce([{ id: receiptId, userId }])
  })
  return { ...letters, job }
}
