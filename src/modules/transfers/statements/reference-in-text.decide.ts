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

/**
 * Finds references (`LP-7K3QW9`) in typed text, ignoring punctuation and a missing `LP`, and forgiving S5 Z2 B8 G6 when one open reference
 * fits. Inside a longer word without `LP` it must be exact and mix letters and digits.
 */
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
