import * as z from 'zod/mini'

/** Money is whole ngwee (1 kwacha = 100 ngwee), never a fraction, never negative. */
export const ngwee = z.int().check(z.nonnegative())
export type Ngwee = z.infer<typeof ngwee>

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
