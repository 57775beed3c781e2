import { statementMapping, type StatementColumn, type StatementMapping } from '#contracts/transfers'
import {
  guessColumns,
  holdsAmounts,
  holdsSomeAmounts,
  holdsDates,
  holdsIds,
  holdsNames,
  holdsPhones,
  holdsWords,
  type ColumnRule,
} from '#kernel/guess-columns'
import { outcomeOf, unmappedDirection, unmappedStatus } from '#kernel/parse-amount'

type Table = Parameters<typeof unmappedDirection>[0]

const noMoney =
  /balance|saldo|solde|stand|total|\bfees?\b|charge|\btax|commission|\brate\b|account|\bacc?t\b|\bno\b|number|\bid\b|phone|msisdn|mobile|code|date|limit/
const notPayer =
  /\bto\b|receiver|recipient|beneficiary|payee|branch|merchant|school|\bour\b|\bown\b|user|handler/
const moneyIn =
  /credit|\bcr\b|\b(money|paid|value|amount|cash) in\b|deposit|received|inflow|incoming|receipts?\b|haben|eingang|gutschrift|entrada/
const moneyOut =
  /debit|\bdr\b|\b(money|paid|value|amount|cash) out\b|withdraw|payments?\b|outflow|outgoing|soll|lastschrift|saida/

// A text that names a reference of ours is the text, whatever its head.
const reference = /\bLP[- ]?[A-Z0-9]{6,12}\b/i

const rules: readonly ColumnRule<StatementColumn>[] = [
  { column: 'at', head: /date|datum|data/, followedBy: /time|zeit|hora|heure/, fits: holdsDates },
  { column: 'at', head: /timestamp/, fits: holdsDates },
  {
    column: 'at',
    head: /trans|txn|tran|trx|post|book|buchung|paid|complet/,
    followedBy: /dat|tag|on|ed/,
    fits: holdsDates,
  },
  { column: 'at', head: /dat|posted|valuta|\bon\b|\bwhen\b|time/, fits: holdsDates },
  { column: 'at', head: /./, fits: holdsDates, alone: true },
  {
    column: 'balance',
    head: /\b(balance|bal|saldo|solde|kontostand)\b/,
    not: /opening|available|previous|currency/,
    fits: holdsSomeAmounts,
  },
  { column: 'in', head: moneyIn, not: noMoney, fits: holdsAmounts },
  { column: 'in', head: /^in$/, fits: holdsAmounts },
  { column: 'out', head: moneyOut, not: noMoney, fits: holdsAmounts },
  { column: 'out', head: /^out$/, fits: holdsAmounts },
  {
    column: 'amount',
    head: /amount|amt|value|\bsum\b|betrag|montant|valor|umsatz|kwacha|zmw|\bk\b/,
    not: noMoney,
    fits: holdsSomeAmounts,
  },
  { column: 'amount', head: /./, not: noMoney, fits: holdsSomeAmounts, alone: true },
  {
    column: 'transactionId',
    head: /\b(trans(action)?|txn|tran|trx|tx|transfer|receipt|journal|payment)\b/,
    followedBy: /\b(id|ref|reference|no|number|code)\b/,
    fits: holdsIds,
  },
  { column: 'transactionId', head: /^(id|rrn|utr)$/, fits: holdsIds },
  {
    column: 'status',
    head: /status|state|result|outcome|statut|estado/,
    fits: (filled) => filled.some((cell) => outcomeOf(cell) !== null),
  },
  { column: 'phone', head: /phone|msisdn|mobile|\btel\b/, not: notPayer, fits: holdsPhones },
  { column: 'phone', head: /./, not: notPayer, fits: holdsPhones, alone: true },
  {
    column: 'payer',
    head: /payer|sender|customer|remitter|depositor|client|from|counterparty|holder|auftraggeber/,
    not: notPayer,
    fits: holdsNames,
  },
  { column: 'payer', head: /\bname\b|\bnom\b|\bnome\b/, not: notPayer, fits: holdsNames },
  { column: 'text', head: /./, fits: (filled) => filled.some((cell) => reference.test(cell)) },
  {
    column: 'text',
    head: /narrat|descri|detail|particular|remark|message|memo|purpose|zweck|libelle|historico|\btext\b|\bnotes?\b/,
    fits: holdsWords,
  },
  { column: 'text', head: /\bref(erence)?\b/, fits: holdsWords },
]

/** What an unknown file's columns probably are, for a person to check. With money in and out, the amount is left out. */
export function* guessMapping(
  table: Table,
): Generator<undefined, { guess: StatementMapping; isWhole: boolean }> {
  const { amount, out, ...others } = yield* guessColumns(table, rules)
  const guess: StatementMapping =
    others.in === undefined ? { ...others, ...(amount && { amount }) } : { ...others, ...(out && { out }) }
  const read = statementMapping.safeParse(guess)
  if (!read.success) return { guess, isWhole: false }
  const status = guess.status ? null : unmappedStatus(table, Object.values(guess))
  const direction = yield* directionNeeded(table, read.data)
  return { guess: { ...guess, ...(status && { status }), ...(direction && { direction }) }, isWhole: true }
}

/** A column that would say which way amounts went, and that is not mapped. Never a text, a payer, or where money in has a column. */
export function* directionNeeded(
  table: Table,
  mapping: StatementMapping,
): Generator<undefined, string | null> {
  if (mapping.direction !== undefined || mapping.in !== undefined) return null
  return yield* unmappedDirection(table, { money: mapping.amount ?? '', taken: Object.values(mapping) })
}
