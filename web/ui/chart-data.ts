import { kwacha } from '../lib/format'

/** One place on the axis, and a row of the table: a value for each of the series, null where there is none. */
export type ChartData = {
  title: string
  /** What the places are: "Day". */
  of: string
  series: readonly string[]
  places: readonly { label: string; values: readonly (number | null)[] }[]
  unit: 'kwacha' | 'count' | 'percent'
  /** Bars lie, with room for names; columns stand beside one another, by day; lines follow days. */
  drawn: 'bars' | 'columns' | 'lines'
}

export const written = (value: number | null, unit: ChartData['unit']): string => {
  if (value === null) return '–'
  if (unit === 'kwacha') return kwacha(value)
  return unit === 'percent' ? `${value}%` : String(value)
}
