import { kwacha } from '../lib/format'

/** One place on the axis, and a row of the table: a value for each of the series, null where there is none. */
export type ChartData = {
  title: string
  /** What the places are: "Day". */
  of: string
  series: readonly string[]
  /** `beside` is for the table, under the heads of `beside`. */
  places: readonly { label: string; values: readonly (number | null)[]; beside?: readonly string[] }[]
  beside?: readonly string[]
  unit: 'kwacha' | 'count' | 'percent'
  /** The last of the series is drawn behind the others, as what to compare with. */
  compared?: boolean
  /** Bars lie, with room for names; columns stand beside one another, by day; lines follow days. */
  drawn: 'bars' | 'columns' | 'lines'
}

export const written = (value: number | null, unit: ChartData['unit']): string => {
  if (value === null) return '–'
  if (unit === 'kwacha') return kwacha(value)
  return unit === 'percent' ? `${value}%` : String(value)
}
