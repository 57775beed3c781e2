import { cycleLengths, type CycleSort, cycleSorts } from '#contracts/cycles'
import { pageFromAddress, type Sorting, sortingFromAddress } from '../../../lib/list-address'

/** Which cycles are shown and in which order; null takes all. `year` is that of the first day. */
export type HistoryAsked = {
  page: number
  year: number | null
  cycleLength: number | null
  sorting: Sorting<CycleSort>
}

export const newestFirst: Sorting<CycleSort> = { sort: 'created', direction: 'desc' }

/** The first page of all cycles, which has the active one. */
export const fromTheStart: HistoryAsked = { page: 1, year: null, cycleLength: null, sorting: newestFirst }

const yearOf = (text: string | null) => (text && /^[1-9]\d{3}$/.test(text) ? Number(text) : null)

/** What the address asks for; anything that is no filter counts as not set. */
export const historyInAddress = (address: URLSearchParams): HistoryAsked => ({
  page: pageFromAddress(address),
  year: yearOf(address.get('year')),
  cycleLength: cycleLengths.find((length) => String(length) === address.get('cycleLength')) ?? null,
  sorting: sortingFromAddress(address, cycleSorts, newestFirst),
})
