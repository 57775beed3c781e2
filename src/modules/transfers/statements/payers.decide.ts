import { foldedName } from '#kernel/folded-name'
import { internationalPhone } from '#kernel/phone-number'

/** `phones` are verified or paid before; `typedPhones` are unverified. `names` are the parent's, `children` the children's. */
export type Family = {
  userId: number
  phones: readonly string[]
  typedPhones: readonly string[]
  names: readonly string[]
  children: readonly string[]
}

/** Normalized; digits of `FRI:260971234567/MSISDN`. Null for none. */
const phoneKey = (phone: string | null): string | null =>
  phone === null ? null : (internationalPhone(phone) ?? internationalPhone(phone.replaceAll(/\D/g, '')))

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'rev'])

// Apostrophes and marks stay in words: Ng’andu is one.
const betweenWords = /[^\p{L}\p{M}\p{N}\p{Sk}\p{Lm}\p{Pi}\p{Pf}'\u2032]+/u

const wordsOf = (text: string): string[] => {
  const words = text.split(betweenWords).map(foldedName)
  return [...new Set(words)].filter((word) => /^\p{L}{2,}$/u.test(word) && !titles.has(word)).toSorted()
}

const pairsOf = (words: readonly string[]): string[] =>
  words.flatMap((word, index) => words.slice(index + 1).map((other) => `${word} ${other}`))

type Named = { userId: number; words: readonly string[]; isChild: boolean }

// Bounds pairs of words: long text is no name.
const maxWords = 12

type Fitting = {
  byPhone: ReadonlySet<number>
  byTypedPhone: ReadonlySet<number>
  byName: ReadonlySet<number>
}

export type FittingOf = (payment: {
  phone: string | null
  payer: string | null
  text: string | null
}) => Fitting

/** Yields per family, so that the caller can pause. */
export const payerIndex = function* (families: readonly Family[]): Generator<undefined, FittingOf> {
  const byPhone = new Map<string, Set<number>>()
  const byTypedPhone = new Map<string, Set<number>>()
  const byPair = new Map<string, Named[]>()
  for (const { userId, phones, typedPhones, names, children } of families) {
    addPhones(byPhone, phones, userId)
    addPhones(byTypedPhone, typedPhones, userId)
    addNames(byPair, [
      ...names.map((name) => ({ userId, words: wordsOf(name), isChild: false })),
      ...children.map((name) => ({ userId, words: wordsOf(name), isChild: true })),
    ])
    yield
  }
  const candidates = (words: readonly string[]) => pairsOf(words).flatMap((pair) => byPair.get(pair) ?? [])
  const familiesNamed = (payer: string | null, text: string | null): ReadonlySet<number> => {
    const payerWords = wordsOf(payer ?? '').slice(0, maxWords)
    const textWords = wordsOf(text ?? '').slice(0, maxWords)
    const fitting = [
      ...candidates(payerWords).filter(
        ({ words, isChild }) => !isChild && (within(words, payerWords) || within(payerWords, words)),
      ),
      ...candidates(textWords).filter(({ words }) => within(words, textWords)),
    ]
    return new Set(fitting.map(({ userId }) => userId))
  }
  return ({ phone, payer, text }) => {
    const key = phoneKey(phone) ?? ''
    return {
      byPhone: byPhone.get(key) ?? nobody,
      byTypedPhone: byTypedPhone.get(key) ?? nobody,
      byName: familiesNamed(payer, text),
    }
  }
}

const nobody: ReadonlySet<number> = new Set()

const addPhones = (index: Map<string, Set<number>>, phones: readonly string[], userId: number) => {
  for (const phone of phones) {
    const key = phoneKey(phone)
    if (key !== null) index.set(key, (index.get(key) ?? new Set()).add(userId))
  }
}

const addNames = (index: Map<string, Named[]>, named: readonly Named[]) => {
  for (const one of named)
    for (const pair of pairsOf(one.words)) {
      const others = index.get(pair)
      if (others) others.push(one)
      else index.set(pair, [one])
    }
}

const within = (words: readonly string[], others: readonly string[]) =>
  words.every((word) => others.includes(word))
