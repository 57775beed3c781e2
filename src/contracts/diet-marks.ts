import type { Diet } from './eating'

const pork = ['pork', 'bacon', 'ham', 'gammon', 'salami', 'pepperoni', 'chorizo']
const beef = ['beef', 'steak', 'oxtail', 'veal', 'biltong']
/** Of whatever animal. */
const anyMeat = ['meat', 'mince', 'sausage', 'polony', 'burger', 'liver', 'offal']
const otherMeat = ['chicken', 'turkey', 'duck', 'goat', 'mutton', 'lamb']
const fish = ['fish', 'bream', 'tilapia', 'kapenta', 'tuna', 'hake', 'sardine', 'prawn', 'seafood']
const meatless = ['vegetarian', 'vegan', 'vegetable', 'bean', 'egg', 'cheese', 'soya', 'none']

/** The words at which a family of this diet wants to look twice; a menu does not say how an animal was slaughtered. */
const askedAbout: Record<Exclude<Diet, 'none'>, ReadonlySet<string>> = {
  vegetarian: new Set([...pork, ...beef, ...anyMeat, ...otherMeat, ...fish]),
  no_pork: new Set([...pork, ...anyMeat]),
  no_beef: new Set([...beef, ...anyMeat]),
  halal: new Set([...pork, ...beef, ...anyMeat, ...otherMeat]),
}
const known = new Set([...pork, ...beef, ...anyMeat, ...otherMeat, ...fish, ...meatless])

const dietNames: Record<Exclude<Diet, 'none'>, string> = {
  vegetarian: 'vegetarian',
  no_pork: 'no pork',
  no_beef: 'no beef',
  halal: 'halal',
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map((word) => (known.has(word) ? word : word.replace(/s$/, '')))

const among = (texts: readonly string[], words: ReadonlySet<string>): string[] => [
  ...new Set(texts.flatMap(wordsOf).filter((word) => words.has(word))),
]

/**
 * What to write beside a meal for a child of this diet, e.g. "Check: halal – chicken"; null for nothing, which does not
 * mean that the child may eat it. Judged by its proteins, or by the one that was chosen; by its name where no protein tells
 * what it is (docs/decisions/0034).
 */
export const dietMark = (
  diet: Diet,
  meal: { name: string; proteins: readonly string[]; protein?: string | null | undefined },
): string | null => {
  if (diet === 'none') return null
  const proteins = meal.protein ? [meal.protein] : meal.proteins
  const judged = among(proteins, known).length > 0 ? proteins : [...proteins, meal.name]
  const found = among(judged, askedAbout[diet])
  return found.length > 0 ? `Check: ${dietNames[diet]} – ${found.join(', ')}` : null
}
