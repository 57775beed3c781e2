import { foldedName } from '#kernel/folded-name'
import { internationalPhone } from '#kernel/phone-number'

const codeLength = 6
const mistaken: Readonly<Record<string, string>> = { S: '5', Z: '2', B: '8', G: '6' }

/** Merges S and 5, Z and 2, B and 8, G and 6. */
const forgiven = (code: string): string => code.replaceAll(/[SZBG]/g, (letter) => mistaken[letter]!)

const ofOneKind = (code: string) => /^[A-Z]+$/.test(code) || /^\d+$/.test(code)

type Compact = { letters: string; starts: ReadonlySet<number>; ends: ReadonlySet<number> }

const compactOf = (text: string): Compact => {
  const starts = new Set<number>()
  const ends = new Set<number>()
  let letters = ''
  for (const [word] of text
    .normalize('NFKC')
    .toUpperCase()
    .matchAll(/[A-Z0-9]+/g)) {
    starts.add(letters.length)
    letters += word
    ends.add(letters.length)
  }
  return { letters, starts, ends }
}

/** References (`LP-7K3QW9`) in typed text, forgiving punctuation, a missing `LP`, and S5 Z2 B8 G6 when one open reference fits. */
export const referenceFinder = (openReferences: Iterable<string>): ((text: string) => string[]) => {
  const written = new Map<string, string>()
  const alike = new Map<string, string[]>()
  for (const reference of openReferences) {
    const code = reference.slice(-codeLength)
    written.set(code, reference)
    alike.set(forgiven(code), [...(alike.get(forgiven(code)) ?? []), reference])
  }
  const meant = (code: string): string | undefined => {
    const candidates = alike.get(forgiven(code))
    return candidates?.length === 1 ? candidates[0] : undefined
  }
  return (text) => {
    const compact = compactOf(text)
    const sure = new Set<string>()
    const hidden = new Set<string>()
    for (let at = 0; at + codeLength <= compact.letters.length; at += 1) {
      const code = compact.letters.slice(at, at + codeLength)
      const exact = written.get(code)
      const [behindLp, aWord] = [isBehindLp(compact, at), isAWord(compact, at)]
      const found = exact ?? (behindLp || (aWord && !ofOneKind(code)) ? meant(code) : undefined)
      if (found === undefined) continue
      if (behindLp || aWord) sure.add(found)
      else if (!ofOneKind(code)) hidden.add(found)
    }
    return [...(sure.size > 0 ? sure : hidden)].toSorted()
  }
}

const isBehindLp = ({ letters }: Compact, at: number) => letters.slice(Math.max(0, at - 2), at) === 'LP'
const isAWord = ({ starts, ends }: Compact, at: number) => starts.has(at) && ends.has(at + codeLength)

/** `phones` are verified or paid before; `typedPhones` are unverified. `names` are the parent's, `children` the children's. */
export type Family = {
  userId: number
  phones: readonly string[]
  typedPhones: readonly string[]
  names: readonly string[]
  children: readonly string[]
}

/** Digits of `FRI:260971234567/MSISDN`. Null for none. */
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
