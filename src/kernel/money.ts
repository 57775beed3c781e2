import * as z from 'zod/mini'

/** Money is whole ngwee (1 kwacha = 100 ngwee), never a fraction, never negative. */
export const ngwee = z.int().check(z.nonnegative())
export type Ngwee = z.infer<typeof ngwee>

/** The sum of amounts; 0 for none. */
export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0)

// A claim in kwacha may be 0.01 off; the rest is what floating point adds to that.
const toleranceNgwee = 1.000_001

/** Whether an amount in kwacha that a browser claims is more than 0.01 away from ours; one that is no number is. */
export const differs = (claimedKwacha: number, ours: Ngwee): boolean =>
  !(Math.abs(claimedKwacha * 100 - ours) <= toleranceNgwee)

const decimalKwacha = /^(\d{1,9})(?:\.(\d{1,2}))?$/

/**
 * Reads kwacha written as decimal digits with at most two places ("45", "45.5", "45.50") as ngwee.
 * Answers null for anything else: signs, exponents, blanks, three places.
 */
export const ngweeFromDecimal = (text: string): Ngwee | null => {
  const match = decimalKwacha.exec(text)
  if (!match) return null
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** The most that a column of money holds: what is beyond is no amount that anybody paid, and often a phone number. */
const maxStored = 2_147_483_647

/** An amount that somebody types into a search: `K1,200.50`, `ZMW 45`; null for what is none, or more than is ever stored. */
export const ngweeSearched = (typed: string): Ngwee | null => {
  const amount = ngweeFromDecimal(
    typed
      .trim()
      .replace(/^(zmw|k)\s*/i, '')
      .replaceAll(/[\s,]/g, ''),
  )
  return amount !== null && amount <= maxStored ? amount : null
}

/** Writes ngwee as kwacha with exactly two places: 4550 → "45.50". */
export const decimalFromNgwee = (amount: Ngwee): string =>
  `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, '0')}`

/** The number a reply carries for an amount: kwacha with two decimals. */
export const kwachaFromNgwee = (amount: Ngwee): number => amount / 100

/**
 * The price to pay after a discount of a whole or fractional percentage (0 to 100),
 * rounded half up to a whole ngwee; 100 percent is exactly 0.
 */
export const discounted = (price: Ngwee, percentage: number): Ngwee =>
  Math.floor((price * Math.round((100 - percentage) * 100) + 5000) / 10_000)
