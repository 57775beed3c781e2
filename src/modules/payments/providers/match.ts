import { decimalFromNgwee } from '#kernel/money'
import type { Ngwee } from '#kernel/money'
import type { ProviderAnswer, ToldAmount, ToldPayment } from './provider'

/** What an attempt asked the provider for. */
export type ExpectedPayment = { amount: Ngwee; currency: string; reference: string }

/** One thing that is not as asked; `told` is null when the provider said nothing about it. */
export type Difference = { what: 'amount' | 'currency' | 'reference'; expected: string; told: string | null }

type Claim = Extract<ProviderAnswer, { kind: 'says-paid' | 'says-mismatch' }>

export type Verdict =
  /** All of `amount` is ours; `fee` is what the customer paid on top of it. */
  | { kind: 'paid'; code: string; amount: Ngwee; fee: Ngwee; told: ToldPayment }
  /** Money moved, or is said to have, but not as asked. `received`: told in our currency, a fee included; null unknown. */
  | { kind: 'mismatch'; code: string; received: Ngwee | null; differences: Difference[]; told: ToldPayment }
  | Exclude<ProviderAnswer, Claim>

/**
 * Holds a provider's answer against what was asked (payments.md, rule 7 of section 8): to the ngwee, a told markup fee
 * allowed on top, either pair of amount and currency, the very reference. What was not told is not equal.
 */
export const verdictFor = (answer: ProviderAnswer, expected: ExpectedPayment): Verdict => {
  if (answer.kind !== 'says-paid' && answer.kind !== 'says-mismatch') return answer
  const { code, told } = answer
  const differences = [...moneyDifferences(told, expected), ...referenceDifference(told, expected)]
  if (answer.kind === 'says-mismatch' || differences.length > 0)
    return { kind: 'mismatch', code, received: receivedIn(expected.currency, told), differences, told }
  return { kind: 'paid', code, amount: expected.amount, fee: feeOnTop(told, expected), told }
}

const pairsOf = ({ transaction, final }: ToldPayment) => [transaction, final]

const isExact = ({ amount, currency }: ToldAmount, expected: ExpectedPayment) =>
  currency === expected.currency && amount === expected.amount

const isWithFee = ({ amount, currency }: ToldAmount, fee: Ngwee | null, expected: ExpectedPayment) =>
  currency === expected.currency && amount !== null && fee !== null && amount - fee === expected.amount

const feeOnTop = (told: ToldPayment, expected: ExpectedPayment): Ngwee =>
  pairsOf(told).some((pair) => isExact(pair, expected)) ? 0 : (told.markupFee ?? 0)

const moneyDifferences = (told: ToldPayment, expected: ExpectedPayment): Difference[] => {
  const matches = (pair: ToldAmount) => isExact(pair, expected) || isWithFee(pair, told.markupFee, expected)
  if (pairsOf(told).some(matches)) return []
  const { amount, currency } = mostTelling(told, expected.currency)
  const differences: Difference[] = []
  if (amount !== expected.amount)
    differences.push({
      what: 'amount',
      expected: decimalFromNgwee(expected.amount),
      told: amount === null ? null : decimalFromNgwee(amount),
    })
  if (currency !== expected.currency)
    differences.push({ what: 'currency', expected: expected.currency, told: currency })
  return differences
}

const mostTelling = (told: ToldPayment, currency: string): ToldAmount =>
  pairsOf(told).find((pair) => pair.currency === currency && pair.amount !== null) ??
  pairsOf(told).find((pair) => pair.currency === currency) ??
  told.transaction

const referenceDifference = ({ reference }: ToldPayment, expected: ExpectedPayment): Difference[] =>
  reference === expected.reference
    ? []
    : [{ what: 'reference', expected: expected.reference, told: reference }]

const receivedIn = (currency: string, told: ToldPayment): Ngwee | null =>
  pairsOf(told).find((pair) => pair.currency === currency && pair.amount !== null)?.amount ?? null
