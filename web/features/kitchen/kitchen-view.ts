import type { ClassListSort } from '#contracts/kitchen'
import { longDay } from '../../lib/format'
import { addressWith, type Sorting } from '../../lib/list-address'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { usualFormat } from './labels/label-formats'

export type KitchenView = 'today' | number

/** An invalid week counts as today. */
export const viewFromAddress = (search: URLSearchParams, weeks: number): KitchenView => {
  const week = Number(search.get('week'))
  return Number.isInteger(week) && week >= 1 && week <= weeks ? week : 'today'
}

export const addressWithView = (search: URLSearchParams, view: KitchenView): URLSearchParams =>
  addressWith(search, view === 'today' ? { week: null, day: null } : { week: String(view) })

/** 1 to 5; null for all days and for today. */
export const dayFromAddress = (search: URLSearchParams, view: KitchenView): number | null => {
  const day = Number(search.get('day'))
  return view !== 'today' && Number.isInteger(day) && day >= 1 && day <= 5 ? day : null
}

/** Null shows all days. */
export const addressWithDay = (search: URLSearchParams, day: number | null): URLSearchParams =>
  addressWith(search, { day: day === null ? null : String(day) })

export const viewLabel = (view: KitchenView): string => (view === 'today' ? "Today's Orders" : `Week ${view}`)

/** `shown`: the date of the today view, later on days without school. */
export const emptyLabel = (view: KitchenView, shown: string | null): string => {
  if (view !== 'today') return `No orders for week ${view}`
  return isLater(shown) ? `No orders for ${longDay(shown)}` : 'No orders for today'
}

export const isLater = (shown: string | null): shown is string =>
  shown !== null && shown !== schoolDate(schoolNow())

export const viewsOf = (weeks: number): KitchenView[] => [
  'today',
  ...Array.from({ length: weeks }, (_, index) => index + 1),
]

export const byName: Sorting<ClassListSort> = { sort: 'name', direction: 'asc' }

/** `YYYY-MM-DD` or null. */
export const listedDay = (search: URLSearchParams): string | null => search.get('list')

/** `YYYY-MM-DD` or null. */
export const changedDay = (search: URLSearchParams): string | null => search.get('changes')

/** The first date of an open buying list, or null. */
export const boughtFrom = (search: URLSearchParams): string | null => search.get('buying')

/** Null closes it. */
export const addressWithBuying = (search: URLSearchParams, from: string | null): URLSearchParams =>
  addressWith(search, { buying: from })

/** The day of which those without an order are shown, or null. */
export const dayWithout = (search: URLSearchParams): string | null => search.get('without')

/** Null closes them. */
export const addressWithout = (search: URLSearchParams, day: string | null): URLSearchParams =>
  addressWith(search, { without: day })

/** The instant of a print whose changes are shown again, or null. */
export const openedPrint = (search: URLSearchParams): string | null => search.get('print')

/** Null closes them. `print`: those of an earlier print. */
export const addressWithChanges = (
  search: URLSearchParams,
  day: string | null,
  print: string | null = null,
): URLSearchParams => addressWith(search, { changes: day, print })

/** Parameters of the labels only. */
const labelsOwn = ['labels', 'by', 'start']

/** Parameters of the class lists only. */
const own = ['grade', 'paymentStatus', 'sort', 'direction', 'apart', ...labelsOwn]

/** Null closes them. */
export const addressWithList = (search: URLSearchParams, day: string | null): URLSearchParams =>
  addressWith(search, day === null ? without(['list', ...own]) : { list: day })

/** Opens labels of the listed day, or returns to the lists. */
export const addressWithLabels = (search: URLSearchParams, shown: boolean): URLSearchParams =>
  addressWith(search, shown ? { labels: usualFormat } : without(labelsOwn))

const without = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]))
