import { allergenKeys, allergenWords, readAllergens } from '#contracts/allergens'
import { maxOwnAllergens } from '#contracts/health'
import { refused } from './refusals'

export type Allergen = { name: string; key: string; standard: boolean }

const ownWords = (list: readonly Allergen[], texts: readonly string[]): Allergen[] => {
  const standard = new Set(list.flatMap((one) => (one.standard ? [one.key] : [])))
  const byKey = new Map<string, string>()
  for (const name of texts.flatMap(allergenWords))
    for (const key of allergenKeys(name)) if (!standard.has(key) && !byKey.has(key)) byKey.set(key, name)
  return [...byKey].map(([key, name]) => ({ key, name, standard: false }))
}

/** Throws for words the school's list lacks. */
export const decideAllergies = (
  list: readonly Allergen[],
  declared: readonly string[] | null,
): string[] | null => {
  if (declared === null) return null
  const names = list.map(({ name }) => name)
  const { names: read, problem } = readAllergens(declared, names)
  if (problem !== null) throw refused('allergen_unknown', problem, { fields: { allergies: problem } })
  return read
}

/** `inUse` holds keys on menu items or children, which must stay. */
export const decideOwnAllergens = (
  list: readonly Allergen[],
  wanted: readonly string[],
  inUse: ReadonlySet<string>,
): Allergen[] => {
  const own = ownWords(list, wanted)
  const kept = new Set(own.map(({ key }) => key))
  const before = list.filter(({ standard: stays }) => !stays)
  if (own.length > Math.max(maxOwnAllergens, before.length)) {
    const message = `The school can have at most ${maxOwnAllergens} allergens of its own`
    throw refused('too_many_allergens', message, { fields: { allergens: message } })
  }
  const missed = before.filter(({ key }) => !kept.has(key) && inUse.has(key))
  if (missed.length > 0) {
    const names = missed.map(({ name }) => name)
    throw refused(
      'allergen_in_use',
      `Menu items or children have ${names.join(', ')}: it stays on the list`,
      {
        extra: { allergens: names },
      },
    )
  }
  return own
}

export const newWords = (list: readonly Allergen[], words: readonly string[]): Allergen[] => {
  const known = new Set(list.map(({ key }) => key))
  return ownWords(list, words).filter(({ key }) => !known.has(key))
}
