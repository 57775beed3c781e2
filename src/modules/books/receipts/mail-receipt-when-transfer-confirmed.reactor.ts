import { z } from 'zod'
import type { Receipt } from '#contracts/books'
import { eventReader } from '#kernel/event'
import { bareMealText, mealText, type UserMessage } from '#kernel/meal-line'
import type { Messaging } from '#modules/messaging/index'
import { transferConfirmed } from '#modules/transfers/published'
import { job, work } from '#platform/jobs/job'
import { lettersOf } from '#platform/letters'
import type { Reactor } from '#platform/module'
import type { Ports } from '#platform/ports'
import { type ReceiptNeeds, receiptCommands } from './receipts.commands'
import { untoldReceipts } from './receipts.rows'
import { receiptOfTransfer } from './receipts.view'

export type ReceiptLetterNeeds = ReceiptNeeds & { messaging: Messaging }

const mailReceiptJob = job({
  name: 'mail-receipt-of-transfer',
  payload: z.object({ receiptId: z.string(), userId: z.int(), position: z.string() }),
  attempts: 10,
  backoffMs: 1_000,
})

const read = eventReader(transferConfirmed)

export const mailReceiptWhenTransferConfirmed = (queue: Ports['queue']): Reactor => ({
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

export const receiptLetters = (needs: ReceiptLetterNeeds) => {
  const { database, now, messaging, publicUrl, viewsInclude } = needs
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
    await viewsInclude(position)
    await letters.writeOnce([{ id: receiptId, userId }])
  })
  return { ...letters, job }
}

export const receiptAddress = (publicUrl: string, number: string): string =>
  `${publicUrl.replace(/\/$/, '')}/receipts/${number}`

type Line = Receipt['lines'][number]

export const receiptLetter = (receipt: Receipt, publicUrl: string): UserMessage => {
  const wordsOf = (mealOf: (line: Line) => string) =>
    [
      `We received your payment of ${kwacha(receipt.amount)}.`,
      ...(receipt.lines.length > 0 ? ['It pays for these meals:'] : []),
      ...receipt.lines.map((line) => `- ${mealOf(line)}: ${kwacha(line.price - line.credit)}`),
      ...(receipt.surplus > 0
        ? [`${kwacha(receipt.surplus)} of it is credit of your family now, for your next meals.`]
        : []),
      '',
      `Receipt ${receipt.number}: ${receiptAddress(publicUrl, receipt.number)}`,
      ...receipt.references.map((reference) => `Payment reference: ${reference}`),
    ].join('\n')
  return {
    subject: 'Your payment has arrived',
    text: wordsOf(wholeMeal),
    bareText: wordsOf(bareMealText),
    short: `Your payment of ${kwacha(receipt.amount)} has arrived. Receipt ${receipt.number}.`,
  }
}

const kwacha = (amount: number): string => `K${amount.toFixed(2)}`

const wholeMeal = ({ item, category, sideDish, student, mealDate }: Line): string => {
  const choices = [category, sideDish].filter(Boolean).join(', ')
  const name = `${item}${choices === '' ? '' : ` (${choices})`}`
  return mealText({ item: { name }, student: { name: student }, mealDate })
}
