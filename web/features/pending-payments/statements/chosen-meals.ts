import { counted, kwacha } from '../../../lib/format'
import { total } from '../selection'
import { familyLabel } from './statement-words'

export type Family = { id: number; name: string; username: string }
/** A meal that is to be paid with a row; `amount` in kwacha. */
export type Meal = { id: string; amount: number; family: Family }
/** What a row pays, as the office says it. */
export type Meals = { orderIds: string[]; surplusTo?: number }

/**
 * What these meals leave of a row's money, in kwacha and in words: a surplus that becomes credit, or what is missing.
 * `families` are those of the meals.
 */
export const whatIsLeft = (amount: number, meals: readonly Meal[]) => {
  const rest = (Math.round(amount * 100) - Math.round(total(meals) * 100)) / 100
  const families = [...new Map(meals.map(({ family }) => [family.id, family])).values()]
  const left = { families, surplus: Math.max(0, rest), missing: Math.max(0, -rest) }
  return { ...left, words: wordsOf(left, amount, meals) }
}

type Left = { families: readonly Family[]; surplus: number; missing: number }

const wordsOf = ({ families, surplus, missing }: Left, amount: number, meals: readonly Meal[]): string => {
  if (meals.length === 0) return 'No meals chosen'
  const chosen = `${counted(meals.length, 'meal')}, ${kwacha(total(meals))} of ${kwacha(amount)}`
  if (missing > 0) return `${chosen}: ${kwacha(missing)} is missing. Choose fewer meals.`
  if (surplus === 0) return `${chosen}: it fits`
  const [only, ...more] = families
  return more.length === 0 && only
    ? `${chosen}: the other ${kwacha(surplus)} becomes credit of ${familyLabel(only)}`
    : `${chosen}: ${kwacha(surplus)} is left over`
}
