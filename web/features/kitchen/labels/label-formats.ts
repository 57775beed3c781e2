import type { ClassListEntry } from '#contracts/kitchen'
import { byClass } from '../class-lists/class-groups'

/** A label sheet or roll. Lengths in mm, as published by the makers. */
export type LabelFormat = {
  name: string
  columns: number
  rows: number
  width: number
  height: number
  /** Between left edges; vertically labels touch. */
  pitch: number
  /** Page margin to the first label. */
  left: number
  top: number
  small: boolean
}

export const labelFormats = {
  '24': {
    name: 'Sheet of 24, 63.5 × 33.9 mm (L7159)',
    columns: 3,
    rows: 8,
    width: 63.5,
    height: 33.9,
    pitch: 66,
    left: 7.25,
    top: 12.9,
    small: false,
  },
  '65': {
    name: 'Sheet of 65, 38.1 × 21.2 mm (L7651)',
    columns: 5,
    rows: 13,
    width: 38.1,
    height: 21.2,
    pitch: 40.6,
    left: 4.75,
    top: 10.7,
    small: true,
  },
  roll: {
    name: 'Roll, 62 × 29 mm',
    columns: 1,
    rows: 1,
    width: 62,
    height: 29,
    pitch: 62,
    left: 0,
    top: 0,
    small: false,
  },
} as const satisfies Record<string, LabelFormat>

export type LabelFormatName = keyof typeof labelFormats

export const labelFormatNames = Object.keys(labelFormats) as LabelFormatName[]

export const usualFormat: LabelFormatName = '24'

/** Falls back to the default. */
export const labelFormatNamed = (name: string | null): LabelFormatName =>
  labelFormatNames.find((one) => one === name) ?? usualFormat

export const labelsPerPage = ({ columns, rows }: Pick<LabelFormat, 'columns' | 'rows'>): number =>
  columns * rows

type LabelOrder = 'class' | 'meal'

const byMeal = (one: ClassListEntry, other: ClassListEntry): number =>
  one.menuItem.localeCompare(other.menuItem, 'en') ||
  (one.category ?? '').localeCompare(other.category ?? '', 'en') ||
  (one.sideDish ?? '').localeCompare(other.sideDish ?? '', 'en') ||
  byClass(one, other)

/** By class, or by meal, protein, side and class. */
export const orderedLabels = (byName: readonly ClassListEntry[], order: LabelOrder): ClassListEntry[] =>
  byName.toSorted(order === 'meal' ? byMeal : byClass)

export const labelPages = <Label>(labels: readonly Label[], perPage: number, start: number): Label[][] => {
  const first = labels.slice(0, perPage - start + 1)
  const pages = first.length > 0 ? [first] : []
  for (let at = first.length; at < labels.length; at += perPage) pages.push(labels.slice(at, at + perPage))
  return pages
}

/** Shrinking steps: font factor or number of lines. */
const steps: readonly Record<string, number | 'hidden' | '1em'>[] = [
  { '--all': 0.95, '--remark': 0.9 },
  { '--all': 0.9, '--remark': 0.8 },
  { '--all': 0.85, '--remark': 0.75 },
  { '--all': 0.8, '--remark': 0.7 },
  ...[8, 7, 6, 5, 4, 3, 2].map((lines) => ({
    '--remark-lines': lines,
    '--remark-overflow': 'hidden' as const,
  })),
  ...[0.75, 0.7].map((size) => ({ '--all': size })),
  { '--remark-lines': 1 },
  { '--lines': 3, '--overflow': 'hidden' },
  { '--lines': 2 },
  { '--lines': 1 },
  // Only allergies can still be long; they stay whole.
  { '--declared': '1em' },
  ...[0.6, 0.5, 0.4, 0.3].map((size) => ({ '--all': size, '--remark': size })),
]

/** Fits texts on labels: shrinks, then truncates with "…"; allergies shrink but are never cut. Repeatable; clears its own styles first. */
export const fitLabels = (labels: readonly HTMLElement[]): void => {
  for (const label of labels) label.removeAttribute('style')
  let tooFull = labels
  for (const step of steps) {
    tooFull = tooFull.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
    for (const label of tooFull)
      for (const [name, value] of Object.entries(step)) label.style.setProperty(name, String(value))
  }
}
