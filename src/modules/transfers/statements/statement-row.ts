import type { AlikeRows } from '#contracts/transfers'
import { groupedBy } from '#kernel/grouped-by'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import type { TransferMethod } from '../events'

export type Incoming = {
  at: Date
  amount: Ngwee
  payer: string | null
  phone: string | null
  text: string | null
  transactionId: string | null
}

/** The permanent id is also its transfer's. */
export type StatementRow = Incoming & {
  id: string
  statementId: number
  method: TransferMethod
  ignored: boolean
  countedIn?: true
}

export type IncomingRow = Incoming & { row: number }

type Problem = { row: number; message: string }

const spreadsheetError =
  /^#(n\/?a|ref!?|value!?|name\??|div\/0!?|num!?|null!?|spill!?|calc!?|error!?|busy!?)$|^#+$|^err:\d+$|^=/i
const shortened = /^\d([.,]\d+)?E[+-]?\d+$/i
// Spreadsheets keep fifteen digits, or fewer once shortened.
const isRounded = (text: string): boolean =>
  /^\d{10,}$/.test(text) && (text.endsWith('000000') || (text.length >= 15 && text.endsWith('000')))

const minute = 60_000

/** Times may differ in precision, and payer, phone and text may be erased. */
export const isSamePayment = (one: Incoming, other: Incoming): boolean => {
  const [oneMinute, otherMinute] = [one, other].map(({ at }) => Math.floor(+at / minute))
  const isSame = (fact: 'payer' | 'phone' | 'text') =>
    one[fact] === null || other[fact] === null || plain[fact](one[fact]) === plain[fact](other[fact])
  return (
    one.amount === other.amount &&
    oneMinute === otherMinute &&
    isSame('payer') &&
    isSame('phone') &&
    isSame('text')
  )
}

const words = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()
const plain = {
  payer: words,
  text: words,
  phone: (phone: string): string => phone.replaceAll(/\D/g, '').slice(-9),
}

const groupsOffered = 3
/** As many as one call ignores. */
const maxAlike = 10_000

/** Rows that share their text, such as rent, the most first. */
export const alikeRows = (rows: readonly StatementRow[]): AlikeRows[] => {
  const groups = groupedBy(rows, ({ text }) => words(text ?? ''))
  groups.delete('')
  return [...groups.values()]
    .filter((alike) => alike.length > 1)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, groupsOffered)
    .map((all) => alikeReply(all.slice(0, maxAlike)))
}

const alikeReply = (rows: readonly StatementRow[]): AlikeRows => ({
  text: rows[0]?.text ?? '',
  rowIds: rows.map(({ id }) => id),
  amount: kwachaFromNgwee(rows.reduce((sum, { amount }) => sum + amount, 0)),
})

/** `noIds`: too many ids are invalid or duplicated, so the column is wrong. `idKey` normalizes an id. */
export const checkTransactionIds = (
  payments: readonly IncomingRow[],
  idKey: (transactionId: string) => string,
): { payments: IncomingRow[]; errors: Problem[]; noIds: string | null } => {
  const first = new Map<string, IncomingRow>()
  const good: IncomingRow[] = []
  const damaged: Problem[] = []
  const noIds: Problem[] = []
  for (const payment of payments) {
    const { row, transactionId: id } = payment
    const key = idKey(id ?? '')
    const earlier = first.get(key)
    if (id === null || (key === '' && !isNoId(id))) good.push({ ...payment, transactionId: null })
    else if (isDamaged(id))
      damaged.push({
        row,
        message: `A spreadsheet has shortened the transaction id to ${id}. Download the file again and upload it as it is.`,
      })
    else if (isNoId(id)) noIds.push({ row, message: `${id} is not a transaction id` })
    else if (earlier && !isSamePayment(earlier, payment))
      noIds.push({
        row,
        message: `Rows ${earlier.row} and ${row} have the transaction id ${id}, and another amount, payer, phone, text or time`,
      })
    else {
      if (!earlier) first.set(key, payment)
      good.push(payment)
    }
  }
  const withId = payments.filter(({ transactionId }) => transactionId !== null).length
  const isNoIdColumn = noIds.length > 1 && noIds.length * 10 >= withId
  return {
    payments: good,
    errors: [...damaged, ...noIds],
    noIds: isNoIdColumn ? noIds[0]!.message : null,
  }
}

const isDamaged = (id: string): boolean => shortened.test(id) || isRounded(id)
const isNoId = (id: string): boolean => spreadsheetError.test(id) || /^0+([.,]0+)?$/.test(id)
