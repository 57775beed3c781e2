/** A family as a payment may name it; `phones` are those it is known by, `names` the parent's, `children` the children's. */
export type Family = {
  userId: number
  phones: readonly string[]
  names: readonly string[]
  children: readonly string[]
}

const significantDigits = 9

/** A phone number without its country or leading zero, so that all its forms are one; null for what is none. */
const phoneKey = (phone: string | null): string | null => {
  const digits = (phone ?? '').replaceAll(/\D/g, '')
  return digits.length < significantDigits ? null : digits.slice(-significantDigits)
}

const titles = new Set(['MR', 'MRS', 'MS', 'MISS', 'DR', 'REV', 'MR/MRS'])

/** The words of a name in any order and writing, without titles and initials. */
const wordsOf = (text: string): string[] => {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()
  return [...new Set(plain.match(/[A-Z]{2,}/g) ?? [])].filter((word) => !titles.has(word)).toSorted()
}

const pairsOf = (words: readonly string[]): string[] =>
  words.flatMap((word, index) => words.slice(index + 1).map((other) => `${word} ${other}`))

type Named = { userId: number; words: readonly string[]; isChild: boolean }

// A letter to the school is no name; the pairs of its words would be many.
const mostWords = 12

/** Tells which families a phone number or a name may be of. A name fits when it has two words of it or more, and no other. */
export const payerIndex = (families: readonly Family[]) => {
  const byPhone = new Map<string, Set<number>>()
  const byPair = new Map<string, Named[]>()
  for (const { userId, phones, names, children } of families) {
    for (const phone of phones) {
      const key = phoneKey(phone)
      if (key !== null) byPhone.set(key, (byPhone.get(key) ?? new Set()).add(userId))
    }
    const named = [
      ...names.map((name) => ({ userId, words: wordsOf(name), isChild: false })),
      ...children.map((name) => ({ userId, words: wordsOf(name), isChild: true })),
    ]
    for (const one of named)
      for (const pair of pairsOf(one.words)) {
        const others = byPair.get(pair)
        if (others) others.push(one)
        else byPair.set(pair, [one])
      }
  }
  const candidates = (words: readonly string[]) => pairsOf(words).flatMap((pair) => byPair.get(pair) ?? [])
  return {
    ofPhone: (phone: string | null): ReadonlySet<number> => byPhone.get(phoneKey(phone) ?? '') ?? new Set(),
    /** By the payer's own name, or a child's name in what they wrote. */
    ofName: (payer: string | null, text: string | null): ReadonlySet<number> => {
      const payerWords = wordsOf(payer ?? '').slice(0, mostWords)
      const textWords = wordsOf(text ?? '').slice(0, mostWords)
      const fitting = [
        ...candidates(payerWords).filter(
          ({ words, isChild }) => !isChild && (within(words, payerWords) || within(payerWords, words)),
        ),
        ...candidates(textWords).filter(({ words }) => within(words, textWords)),
      ]
      return new Set(fitting.map(({ userId }) => userId))
    },
  }
}

const within = (words: readonly string[], others: readonly string[]) =>
  words.every((word) => others.includes(word))
