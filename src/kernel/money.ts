import * as z from 'zod/mini'

/** Whole ngwee (1 kwacha = 100 ngwee), never negative. */
export const ngwee = z.int().check(z.nonnegative())
export type Ngwee = z.infer<typeof ngwee>

export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0)

// A claim may be 0.01 kwacha off, plus floating-point error.
const toleranceNgwee = 1.000_001

/** Also true when the claim is not a number. */
export const differs = (claimedKwacha: number, ours: Ngwee): boolean =>
  !(Math.abs(claimedKwacha * 100 - ours) <= toleranceNgwee)

const decimalKwacha = /^(\d{1,9})(?:\.(\d{1,2}))?$/

/** Reads kwacha digits with at most two places ("45", "45.5", "45.50"); null for anything else. */
export const ngweeFromDecimal = (text: string): Ngwee | null => {
  const match = decimalKwacha.exec(text)
  if (!match) return null
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** Maximum of an integer column; larger numbers are often phone numbers. */
const maxStored = 2_147_483_647

/** Reads a search such as `K1,200.50` or `ZMW 45`; null for other text. */
export const ngweeFromSearch = (typed: string): Ngwee | null => {
  const amount = ngweeFromDecimal(
    typed
      .trim()
      .replace(/^(zmw|k)\s*/i, '')
      .replaceAll(/[\s,]/g, ''),
  )
  return amount !== null && amount <= maxStored ? amount : null
}

/** 4550 → "45.50". */
export const decimalFromNgwee = (amount: Ngwee): string =>
  `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, '0')}`

export const kwachaFromNgwee = (amount: Ngwee): number => amount / 100

/** Of an amount with at most two places, such as a contract takes. */
export const ngweeFromKwacha = (kwacha: number): Ngwee => Math.round(kwacha * 100)

/** In percent; `sponsor` pays it. */
export type Discount = { percentage: number; sponsor: string | null }
export const noDiscount: Discount = { percentage: 0, sponsor: null }

/** Rounded half up to a whole ngwee; `percentage` is 0 to 100. */
export const discounted = (price: Ngwee, percentage: number): Ngwee =>
  Math.floor((price * Math.round((100 - percentage) * 100) + 5000) / 10_000)

export const remedies = ['refund', 'credit'] as const
export type Remedy = (typeof remedies)[number]

/** What proves that money came in, the best first. */
export const proofs = ['provider', 'statement', 'till', 'not on any statement'] as const
export type Proof = (typeof proofs)[number]

export const isUnproven = (proof: Proof | null | undefined): proof is 'not on any statement' =>
  proof === 'not on any statement'

/** In a reply, only where nothing proves it. */
export const missingProof = (proof: Proof | null | undefined) => (isUnproven(proof) ? { proof } : {})

export const weakestProof = (some: readonly (Proof | null | undefined)[]): Proof | null =>
  proofs.findLast((proof) => some.includes(proof)) ?? null
