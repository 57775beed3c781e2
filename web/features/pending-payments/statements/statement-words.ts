import type { StatementColumn, StatementRow } from '#contracts/statements'
import { kwacha } from '../../../lib/format'
import { schoolClock, schoolDay } from '../../../lib/school-moment'

/** Where statements usually come from; a school may name others. */
export const usualSources = ['airtel', 'mtn', 'bank'] as const

const sourceLabels: Record<string, string> = { airtel: 'Airtel Money', mtn: 'MTN Money', bank: 'Bank' }

export const sourceLabel = (source: string): string => sourceLabels[source] ?? source

export const columnLabels: Record<StatementColumn, string> = {
  at: 'Date and time',
  amount: 'Amount',
  in: 'Money in',
  out: 'Money out',
  payer: 'Name of the payer',
  phone: 'Phone of the payer',
  text: 'Text or reference',
  transactionId: 'Transaction id',
  status: 'Status (successful or not)',
}

/** When the money came; a statement that tells only the day has no clock. */
export const rowTime = (at: string): string => {
  const clock = schoolClock(at)
  return clock === '00:00' ? schoolDay(at) : `${schoolDay(at)}, ${clock}`
}

/** A row in a few words: "K45.00 from JOHN BANDA, 16 Sep 2026, 09:05". */
export const rowInWords = ({ amount, payer, phone, at }: StatementRow): string =>
  `${kwacha(amount)} from ${payer ?? phone ?? 'an unknown payer'}, ${rowTime(at)}`

/**
 * The orders that a row pays with one press: those it matches, or, where it brings more than is unpaid on the references that
 * it names, those of the one family, whose credit the rest becomes. None: the office has to choose.
 */
export const readyOrders = ({ state, match, named, amount }: StatementRow): readonly string[] => {
  if (state === 'suggested') return match?.orderIds ?? []
  const fits = state === 'open' && named !== null && named.amount < amount && named.parents.length === 1
  return fits ? named.orderIds : []
}

/** A family as the office knows it. */
export const familyLabel = ({ name, username }: { name: string; username: string }): string =>
  name === '' ? username : `${name} (${username})`
