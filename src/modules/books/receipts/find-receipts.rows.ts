import type { Reader } from '#platform/database'
import type { Numbered } from './receipt'

type ReceiptLead = { userId: number; attemptId: string | null; orderIds: string[] }

/** Family, payment and orders of a receipt or credit note, by number. */
export const receiptsByNumber = async (
  at: Reader,
  { kind, year, number }: { kind: Numbered; year: number; number: number },
): Promise<ReceiptLead[]> => {
  const { rows } = await at.query<ReceiptLead>(
    `with called as (
       select id, receipt_id from books.receipts where kind = $1 and year = $2 and number = $3)
     select user_id as "userId", attempt_id as "attemptId",
       array_remove(array_append(
         array(select line->>'orderId' from jsonb_array_elements(coalesce(orders, '[]')) line), order_id), null)
         as "orderIds"
     from books.receipts
     where id in (select id from called union select receipt_id from called) and user_id is not null`,
    [kind, year, number],
  )
  return rows
}
