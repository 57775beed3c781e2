import { z } from 'zod'
import type { Receipt } from '#contracts/books'
import { eventReader } from '#kernel/event'
import { forAnyAddress, mealMessage, type UserMessage } from '#kernel/meal-line'
import { transferConfirmed } from '#modules/transfers/published'
import { job, work } from '#platform/jobs/job'
import { lettersOf } from '#platform/letters'
import type { Reactor } from '#platform/module'
import type { Ports } from '#platform/ports'
import type { BooksNeeds } from '../ports'
import { receiptCommands } from './receipts.commands'
import { untoldReceipts } from './receipts.rows'
import { receiptOfTransfer } from './receipts.view'

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

export const receiptLetters = (needs: BooksNeeds) => {
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

export const receiptLetter = (receipt: Receipt, publicUrl: string): UserMessage => {
  const start = `We received your payment of ${kwacha(receipt.amount)}.`
  const end = [
    ...(receipt.surplus > 0
      ? [`${kwacha(receipt.surplus)} of it is credit of your family now, for your next meals.`]
      : []),
    [
      `Receipt ${receipt.number}: ${receiptAddress(publicUrl, receipt.number)}`,
      ...receipt.references.map((reference) => `Payment reference: ${reference}`),
    ].join('\n'),
  ]
  const short = `Your payment of ${kwacha(receipt.amount)} has arrived. Receipt ${receipt.number}.`
  if (receipt.lines.length === 0)
    return forAnyAddress({ subject: 'Your payment has arrived', text: [start, ...end].join('\n\n'), short })
  return mealMessage({
    what: 'Paid',
    meals: receipt.lines.map(mealOf),
    start: `${start} It pays for these meals:`,
    more: ({ paid }) => `, ${kwacha(paid)}`,
    end,
    short: () => short,
  })
}

const kwacha = (amount: number): string => `K${amount.toFixed(2)}`

const mealOf = ({ item, category, sideDish, student, mealDate, price, credit }: Receipt['lines'][number]) => {
  const choices = [category, sideDish].filter(Boolean).join(', ')
  const name = `${item}${choices === '' ? '' : ` (${choices})`}`
  return { item: { name }, student: { name: student }, mealDate, paid: price - credit }
}
