import { dietNames, type ItemType, type MenuItem } from '#contracts/catalogue'
import { againstDiet, dietWords } from '#contracts/health'
import { pictureSources } from '#contracts/pictures'
import { classes } from '../../lib/classes'
import { capitalised, counted, dayName } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Picture } from '../../ui/picture'

type ItemPictureProps = { url: string | null | undefined; sizes: string; className: string }

export const ItemPicture = ({ url, sizes, className }: ItemPictureProps) => (
  <Picture of={pictureSources(url)} sizes={sizes} className={className} />
)

export const TypeBadge = ({ type }: { type: ItemType }) => (
  <Badge tone={type === 'primary' ? 'brand' : 'info'}>{capitalised(type)}</Badge>
)

const inRow = (numbers: number[]): boolean =>
  numbers.length > 2 && numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1)

const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

export const weeksLabel = (weeks: number[]): string => {
  const sorted = ascending(weeks)
  const list = inRow(sorted) ? `${sorted[0]}–${sorted.at(-1)}` : sorted.join(', ')
  return `${weeks.length === 1 ? 'Week' : 'Weeks'} ${list}`
}

const shortDay = (day: number) => dayName(day).slice(0, 3)

export const daysLabel = (days: number[]): string => {
  const sorted = ascending(days)
  const [first, last] = [sorted[0], sorted.at(-1)]
  return inRow(sorted) && first && last
    ? `${shortDay(first)}–${shortDay(last)}`
    : sorted.map(shortDay).join(', ')
}

export const portionsLabel = ({ portionLimit }: Pick<MenuItem, 'portionLimit'>): string | null =>
  portionLimit === null ? null : `${counted(portionLimit, 'portion')} a day`

export const leadLabel = ({ leadDays }: Pick<MenuItem, 'leadDays'>): string | null =>
  leadDays === 0 ? null : `${counted(leadDays, 'school day')} ahead`

export const offeredLabel = (
  item: Pick<MenuItem, 'weekNumbers' | 'daysOfWeek' | 'portionLimit' | 'leadDays'>,
): string =>
  [weeksLabel(item.weekNumbers), daysLabel(item.daysOfWeek), portionsLabel(item), leadLabel(item)]
    .filter((part) => part !== null)
    .join(', ')

const markWords = {
  halal: ['Halal', 'Not halal'],
  vegetarian: ['Veg', 'Not veg'],
  noPork: ['No pork', 'Pork'],
  noBeef: ['No beef', 'Beef'],
} as const satisfies Record<(typeof dietNames)[number], readonly [string, string]>

/** What is stated of each diet, in a word. */
export const DietMarks = ({ diets }: Pick<MenuItem, 'diets'>) =>
  dietNames.map((name) =>
    diets[name] === 'unknown' ? null : (
      <span
        key={name}
        className={classes(
          'shrink-0 rounded-sm border px-1 leading-4',
          diets[name] === 'yes' ? 'border-brand-200 text-brand-800' : 'border-sand-300 text-sand-800',
        )}
      >
        {markWords[name][diets[name] === 'yes' ? 0 : 1]}
      </span>
    ),
  )

/** "Halal, no pork, has beef"; null where nothing is stated. */
export const dietsLabel = ({ diets }: Pick<MenuItem, 'diets'>): string | null => {
  const stated = dietNames.flatMap((name) => {
    if (diets[name] === 'unknown') return []
    return diets[name] === 'yes' ? dietWords[name] : againstDiet[name]
  })
  return stated.length > 0 ? capitalised(stated.join(', ')) : null
}
