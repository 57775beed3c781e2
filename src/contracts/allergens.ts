import type { DishDiets } from './catalogue'
import { dietsMet, standardAllergens, type Diet, type MealConflict } from './health'

const synonyms: Record<(typeof standardAllergens)[number], readonly string[]> = {
  Milk: `dairy, dairy product, milk product, milk powder, powdered milk, milk protein, cow milk, cow's milk, cows milk,
    sour milk, lactose, butter, buttermilk, cheese, cream, yoghurt, yogurt, ghee, whey, casein`.split(','),
  Eggs: `hen's egg, egg white, egg yolk, egg product, egg powder, egg protein, albumen, albumin`.split(','),
  Fish: 'fin fish, fish product, fish sauce, seafood, kapenta, bream, tilapia, tuna, sardine, anchovy'.split(
    ',',
  ),
  Shellfish:
    `shell fish, seafood, crustacean, crustacea, mollusc, mollusk, shrimp, prawn, crab, lobster, crayfish,
    langoustine, mussel, oyster, clam, scallop, squid, calamari, octopus`.split(','),
  'Tree Nuts':
    'nut, almond, cashew, cashew nut, walnut, hazelnut, pecan, pistachio, macadamia, brazil nut'.split(','),
  Peanuts:
    `nut, groundnut, ground nut, monkey nut, arachis, arachide, peanut butter, groundnut butter, peanut oil,
    groundnut oil`.split(','),
  Wheat:
    `gluten, wheat flour, wheat gluten, wheat product, cereal containing gluten, gluten containing cereal, spelt, durum,
    semolina, bulgur, couscous`.split(','),
  Soybeans:
    `soy, soya, soja, soy bean, soya bean, soy milk, soya milk, soy product, soya product, soy lecithin,
    soya lecithin, soy protein, soya protein, tofu`.split(','),
  Sesame: 'sesame seed, sesame oil, sesame paste, tahini, simsim'.split(','),
}

const singular = (word: string): string => {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(sh|ch|x|ss|o)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

const folded = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}'’]/gu, '')
    .toLowerCase()
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words.map(singular).join('') || plain.trim()
}

const keysOfWords = new Map<string, string[]>()
for (const name of standardAllergens)
  for (const word of [name, ...synonyms[name]])
    keysOfWords.set(folded(word), [...(keysOfWords.get(folded(word)) ?? []), folded(name)])

/** Two words with a common key name the same allergen. A few words map to two standard allergens. */
export const allergenKeys = (word: string): readonly string[] => {
  const key = folded(word)
  return keysOfWords.get(key) ?? [key]
}

const separators =
  /[,;/|¦\\&+•·∙‧、،؛()[\]{}\n\r\u0085\u2028\u2029]+|\.(?=[.\s])|(?<![\p{L}\p{N}])(?:and|or|plus)(?![\p{L}\p{N}])/iu
const notAvailable = /(?<![\p{L}\p{N}#])n\s*\/\s*a(?![\p{L}\p{N}])/giu
const spokenBefore =
  /^(?:may (?:also )?contain|contains?|containing|traces? of|allergens?|allerg(?:en|y) (?:info|information|advice|warning)|allergies)(?:\s*[:：=–—-]\s*|\s+)(?=\S)/iu
const nothing = new Set(['none', 'na', 'nothing'])

// A question mark or a tick does not mean "none".
const isNone = (word: string): boolean =>
  !/^[#=]/.test(word) && (/^[\p{Pd}\u2212\s.:_*~'"…!]*$/u.test(word) || nothing.has(folded(word)))

const withoutPrefix = (text: string): string => {
  const rest = text.trim().replace(spokenBefore, '')
  return rest === text.trim() ? rest : withoutPrefix(rest)
}

const cut = (text: string): string[] => {
  const clean = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
  // A spreadsheet error such as `#REF!` means neither an allergen nor "none".
  if (/^[#=]/.test(clean)) return [clean]
  return withoutPrefix(clean)
    .replaceAll(notAvailable, 'none')
    .split(separators)
    .map((part) => withoutPrefix(part).replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '')
}

const known = new Map<string, readonly string[]>()
const maxCached = 5000

const partsOf = (text: string): readonly string[] => {
  const before = known.get(text)
  if (before) return before
  if (known.size >= maxCached) known.clear()
  const parts = cut(text)
  known.set(text, parts)
  return parts
}

/** Splits at commas, semicolons, slashes, bars, "and" and line breaks (families.md section 3). `none`, `n/a` and `-` name nothing. */
export const allergenWords = (text: string): string[] => partsOf(text).filter((part) => !isNone(part))

export const allergenNames = (texts: readonly string[]): string[] => {
  const standard = new Map(standardAllergens.map((name) => [folded(name), name as string]))
  const named = texts.flatMap(allergenWords).flatMap((word) => {
    const names = allergenKeys(word).flatMap((key) => standard.get(key) ?? [])
    return names.length > 0 ? names : [word]
  })
  return [...new Set(named)]
}

export const allergensMet = (
  allergies: readonly string[] | null | undefined,
  allergens: readonly string[] | null | undefined,
): string[] => {
  if (!allergies?.length || !allergens?.length) return []
  const avoided = new Set(allergies.flatMap(allergenWords).flatMap(allergenKeys))
  return allergens.flatMap(allergenWords).filter((word) => allergenKeys(word).some((key) => avoided.has(key)))
}

export type Needs = { allergies: readonly string[] | null; diet: Diet }
export type Contents = { allergens: readonly string[] | null; diets: DishDiets }

/** Nothing where the eater or the dish is unknown. */
export const conflictOf = (needs: Needs | undefined, dish: Contents | undefined): MealConflict => ({
  allergens: allergensMet(needs?.allergies, dish?.allergens),
  diets: needs ? dietsMet(needs.diet, dish?.diets) : [],
})

const namesByKey = (list: readonly string[]): Map<string, string> => {
  const names = new Map<string, string>()
  for (const name of list)
    for (const key of allergenWords(name).flatMap(allergenKeys)) if (!names.has(key)) names.set(key, name)
  return names
}

const maxNamed = 5

/** Maps texts to the school's names. `problem` explains incomplete `names`: an unknown one, or "none" beside an allergen. */
export const readAllergens = (
  texts: readonly string[],
  list: readonly string[],
): { names: string[]; problem: string | null } => {
  const byKey = namesByKey(list)
  const parts = texts.flatMap(partsOf)
  const words = parts.filter((part) => !isNone(part))
  const unknown = words.filter((word) => !allergenKeys(word).every((key) => byKey.has(key)))
  const found = words.flatMap(allergenKeys).flatMap((key) => byKey.get(key) ?? [])
  return {
    names: [...new Set(found)],
    problem: problemOf({ parts, words, unknown: [...new Set(unknown)], byKey }),
  }
}

type Read = Record<'parts' | 'words' | 'unknown', readonly string[]> & { byKey: ReadonlyMap<string, string> }

const problemOf = ({ parts, words, unknown, byKey }: Read): string | null => {
  if (unknown.length > 0)
    return unknown
      .slice(0, maxNamed)
      .map(
        (word) =>
          `"${word}" is not on the school's list of allergens; the nearest is ${nearest(word, byKey)}`,
      )
      .join('. ')
  return words.length > 0 && parts.length > words.length
    ? `"${parts.find(isNone)}" is listed with ${words.join(', ')}: write one or the other`
    : null
}

const nearest = (word: string, byKey: ReadonlyMap<string, string>): string => {
  const asked = folded(word).slice(0, 40)
  const near = (key: string) => distance(asked, key) / Math.max(asked.length, key.length)
  const candidates = [...byKey].concat(
    [...keysOfWords].flatMap(([spelt, keys]) => {
      const name = byKey.get(keys[0]!)
      return name === undefined ? [] : [[spelt, name] as [string, string]]
    }),
  )
  const [, name] = candidates.reduce((best, next) => (near(next[0]) < near(best[0]) ? next : best))
  return name
}

const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const above = row
    row = [index + 1]
    for (let place = 1; place <= other.length; place += 1)
      row[place] = Math.min(
        above[place]! + 1,
        row[place - 1]! + 1,
        above[place - 1]! + (letter === other[place - 1] ? 0 : 1),
      )
  }
  return row[other.length]!
}
