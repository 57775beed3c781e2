import type { Ingredient } from '#contracts/dish-fields'

const large = { g: 'kg', ml: 'l' } as const
const number = new Intl.NumberFormat('en-ZM', { maximumFractionDigits: 2 })

/** "850 g"; "1.25 kg" and "2 l" from 1,000 on; "12" pieces. */
export const amountText = (amount: number, unit: Ingredient['unit']): string => {
  if (unit === 'piece') return number.format(amount)
  return amount < 1_000
    ? `${number.format(amount)} ${unit}`
    : `${number.format(amount / 1_000)} ${large[unit]}`
}
