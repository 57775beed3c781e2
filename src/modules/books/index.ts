import type { BooksSettings } from '#contracts/books'
import { partOfAccount, type FamilyPart } from '#platform/family-data'
import type { Module } from '#platform/module'
import { closingFaults, closingRoutes, daysToClose } from './closings/closings.routes'
import { bookingViews } from './journal/bookings.view'
import { dayEndRoutes } from './journal/day-end.routes'
import { bookedInAll, dayEndBetween, unpaidForMeals } from './journal/day-end.rows'
import { monthRoutes } from './journal/month.routes'
import type { BooksNeeds } from './ports'
import {
  mailReceiptWhenTransferConfirmed,
  receiptLetters,
  receiptAddress,
} from './receipts/mail-receipt-when-transfer-confirmed.reactor'
import { receiptNumber } from './receipts/receipt'
import { receiptRoutes } from './receipts/receipts.routes'
import {
  receiptNumbers,
  creditNotesOfRefunds,
  receiptsOfIds,
  receiptsByNumber,
} from './receipts/receipts.rows'
import { receiptsView } from './receipts/receipts.view'
import { booksStatuses } from './refusals'
import { booksSettingsRoutes } from './settings/settings.routes'
import { booksSettings } from './settings/settings.rows'
import { settlementRoutes } from './settlements/settlements.routes'
import { forgetInSettlements } from './settlements/settlements.rows'
import { sponsoredRoutes } from './sponsored/sponsored.routes'
import { statementRoutes } from './statement-of-account/statement-of-account.routes'

export { isClearing, isStored, sides, type Account, type Movement } from './journal/booking'
export { journalFold, type JournalRows } from './journal/bookings.view'
export { stands, type BookedOrder, type BookedRefund } from './journal/orders.view'
export type { BookedAttempt } from './journal/attempts.view'

const bookParts: FamilyPart[] = [
  partOfAccount(
    'receipts',
    `select kind, year, number, method, amount / 100.0::float8 as amount, credit / 100.0::float8 as credit, at,
       transaction_id as "transactionId", order_id as "orderId"
     from books.receipts where user_id = $1 and kind in ('receipt', 'credit_note') order by at desc, id limit $2`,
  ),
]

export const booksModule = (needs: BooksNeeds) => {
  const { zone } = needs
  const letters = receiptLetters(needs)
  const module: Module = {
    name: 'books',
    routes: [
      ...booksSettingsRoutes(needs),
      ...receiptRoutes(needs),
      ...dayEndRoutes(needs),
      ...monthRoutes(needs),
      ...closingRoutes(needs),
      ...settlementRoutes(needs),
      ...statementRoutes(needs),
      ...sponsoredRoutes(needs),
    ],
    views: [receiptsView(zone), ...bookingViews(zone)],
    reactors: [mailReceiptWhenTransferConfirmed(needs.queue)],
    jobs: [letters.job],
    sweeps: [letters.sweep],
    familyParts: bookParts,
    retentions: [letters.retention],
    forgetWords: forgetInSettlements,
    refusals: booksStatuses,
  }
  return {
    ...module,
    closingFaults: closingFaults(needs),
    creditNotes: (refundIds: readonly string[]): Promise<ReadonlyMap<string, string>> =>
      creditNotesOfRefunds(needs.database.knex, refundIds),
    bookedInAll,
    dayEndBetween,
    unpaidForMeals,
    receiptNumbers: receiptNumbers(needs.database.pool),
    receiptsOfCheckouts: async (
      attemptIds: readonly string[],
    ): Promise<ReadonlyMap<string, { number: string; url: string }>> => {
      const rows = await receiptsOfIds(needs.database.knex, attemptIds)
      return new Map(
        rows.map((row) => {
          const number = receiptNumber(row)
          return [row.id, { number, url: receiptAddress(needs.publicUrl, number) }]
        }),
      )
    },
    receiptsByNumber,
    daysToClose,
    /** Refunds to the card, and the approval limit in kwacha. */
    settings: (): Promise<BooksSettings> => booksSettings.read(needs.database.knex),
  }
}

export type Books = ReturnType<typeof booksModule>
