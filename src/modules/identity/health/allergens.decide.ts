import { allergenKey } from '#contracts/eating'
import { mostOwnAllergens } from '#contracts/health'
import { refuse } from '../refusals'

/** An allergen of the school's list; all but the standard ones are the school's own. */
export type Allergen = { name: string; key: string; standard: boolean }

/** Each once, whatever its case; the first spelling stays. */
const distinct = (names: readonly string[]): { name: string; key: string }[] => {
  const byKey = new Map<string, string>()
  for (const name of names) if (!byKey.has(allergenKey(name))) byKey.set(allergenKey(name), name)
  return [...byKey].map(([key, name]) => ({ key, name }))
}

/** What a family declares, as the school's list writes it. */
export const decideAllergies = (
  list: readonly Allergen[],
  declared: readonly string[] | null,
): string[] | null => {
  if (declared === null) return null
  const named = new Map(list.map(({ key, name }) => [key, name]))
  const unknown = distinct(declared).filter(({ key }) => !named.has(key))
  if (unknown.length > 0) {
    const message = `${unknown.map(({ name }) => name).join(', ')} is not on the school's list of allergens`
    throw refuse('allergen_unknown', message, { fields: { allergies: message } })
  }
  return distinct(declared).map(({ key }) => named.get(key)!)
}

/** The school's own allergens after the office has said which; `inUse` are the keys that menu items or children have. */
export const decideOwnAllergens = (
  list: readonly Allergen[],
  wanted: readonly string[],
  inUse: ReadonlySet<string>,
): Allergen[] => {
  const standard = new Set(list.flatMap((one) => (one.standard ? [one.key] : [])))
  const own = distinct(wanted).filter(({ key }) => !standard.has(key))
  const kept = new Set(own.map(({ key }) => key))
  const before = list.filter(({ standard: stays }) => !stays)
  if (own.length > Math.max(mostOwnAllergens, before.length)) {
    const message = `The school can have at most ${mostOwnAllergens} allergens of its own`
    throw refuse('too_many_allergens', message, { fields: { allergens: message } })
  }
  const missed = before.filter(({ key }) => !kept.has(key) && inUse.has(key))
  if (missed.length > 0) {
    const names = missed.map(({ name }) => name)
    throw refuse('allergen_in_use', `Menu items or children have ${names.join(', ')}: it stays on the list`, {
      extra: { allergens: names },
    })
  }
  return own.map((one) => ({ ...one, standard: false }))
}

/** Words on menu items that the list lacks, which become the school's own. */
export const newWords = (list: readonly Allergen[], words: readonly string[]): Allergen[] => {
  const known = new Set(list.map(({ key }) => key))
  return distinct(words.map((word) => word.trim()).filter((word) => word !== ''))
    .filter(({ key }) => !known.has(key))
    .map((one) => ({ ...one, standard: false }))
}
