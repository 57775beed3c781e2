import type { ClassListSort } from '#contracts/kitchen'
import { longDay } from '../../lib/format'
import { addressWith, type Sorting } from '../../lib/list-address'
import { usualFormat } from './labels/label-formats'
import { schoolDate, schoolNow } from '../../lib/school-moment'

/** What the kitchen looks at: today, or one week of the cycle (from 1). */
export type KitchenView = 'today' | number

/** Reads the view from the address; a week outside the cycle counts as today. */
export const viewFromAddress = (search: URLSearchParams, weeks: number): KitchenView => {
  const week = Number(search.get('week'))
  return Number.isInteger(week) && week >= 1 && week <= weeks ? week : 'today'
}

export const addressWithView = (search: URLSearchParams, view: KitchenView): URLSearchParams =>
  addressWith(search, view === 'today' ? { week: null, day: null } : { week: String(view) })

/** The one day of a week that the address asks for, 1 to 5; null for all of them, and for today. */
export const dayFromAddress = (search: URLSearchParams, view: KitchenView): number | null => {
  const day = Number(search.get('day'))
  return view !== 'today' && Number.isInteger(day) && day >= 1 && day <= 5 ? day : null
}

/** The address with this day of the week alone, or with all of its days. */
export const addressWithDay = (search: URLSearchParams, day: number | null): URLSearchParams =>
  addressWith(search, { day: day === null ? null : String(day) })

export const viewLabel = (view: KitchenView): string => (view === 'today' ? "Today's Orders" : `Week ${view}`)

/** `shown` is the date that the view of today shows: on a day without school it is a later one. */
export const emptyLabel = (view: KitchenView, shown: string | null): string => {
  if (view !== 'today') return `No orders for week ${view}`
  return isLater(shown) ? `No orders for ${longDay(shown)}` : 'No orders for today'
}

/** Whether the date that the view of today shows is a later one. */
export const isLater = (shown: string | null): shown is string =>
  shown !== null && shown !== schoolDate(schoolNow())

/** Today first, then every week of the cycle. */
export const viewsOf = (weeks: number): KitchenView[] => [
  'today',
  ...Array.from({ length: weeks }, (_, index) => index + 1),
]

export const byName: Sorting<ClassListSort> = { sort: 'name', direction: 'asc' }

/** The day whose class lists the address asks for, `YYYY-MM-DD`; null when it asks for none. */
export const listedDay = (search: URLSearchParams): string | null => search.get('list')

/** The day whose changes the address asks for, `YYYY-MM-DD`; null when it asks for none. */
export const changedDay = (search: URLSearchParams): string | null => search.get('changes')

/** The address with the changes of this day, or without any. */
export const addressWithChanges = (search: URLSearchParams, day: string | null): URLSearchParams =>
  addressWith(search, { changes: day })

/** What belongs to the labels alone and goes with them. */
const labelsOwn = ['labels', 'by', 'start']

/** What belongs to the class lists alone and goes with them. */
const own = ['grade', 'paymentStatus', 'sort', 'direction', 'apart', ...labelsOwn]

/** The address with the class lists of this day, or without any. */
export const addressWithList = (search: URLSearchParams, day: string | null): URLSearchParams =>
  addressWith(search, day === null ? without(['list', ...own]) : { list: day })

/** The address with the labels of the class lists' day, on the usual sheet; or with these lists again. */
export const addressWithLabels = (search: URLSearchParams, shown: boolean): URLSearchParams =>
  addressWith(search, shown ? { labels: usualFormat } : without(labelsOwn))

const without = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]))
