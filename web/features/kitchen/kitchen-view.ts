/** What the kitchen looks at: today, or one week of the cycle (from 1). */
export type KitchenView = 'today' | number

/** Reads the view from the address; a week outside the cycle counts as today. */
export const viewFromAddress = (search: URLSearchParams, weeks: number): KitchenView => {
  const week = Number(search.get('week'))
  return Number.isInteger(week) && week >= 1 && week <= weeks ? week : 'today'
}

export const addressWithView = (search: URLSearchParams, view: KitchenView): URLSearchParams => {
  const next = new URLSearchParams(search)
  if (view === 'today') next.delete('week')
  else next.set('week', String(view))
  return next
}

export const viewLabel = (view: KitchenView): string => (view === 'today' ? "Today's Orders" : `Week ${view}`)

export const emptyLabel = (view: KitchenView): string =>
  view === 'today' ? 'No orders for today' : `No orders for week ${view}`

/** Today first, then every week of the cycle. */
export const viewsOf = (weeks: number): KitchenView[] => [
  'today',
  ...Array.from({ length: weeks }, (_, index) => index + 1),
]

/** The day whose class lists the address asks for, `YYYY-MM-DD`; null when it asks for none. */
export const listedDay = (search: URLSearchParams): string | null => search.get('list')

/** The address with the class lists of this day, or without any. */
export const addressWithList = (search: URLSearchParams, day: string | null): URLSearchParams => {
  const next = new URLSearchParams(search)
  if (day === null) next.delete('list')
  else next.set('list', day)
  return next
}
