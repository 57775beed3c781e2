import { queryOptions, useQuery } from '@tanstack/react-query'
import { deadlineRule } from '#contracts/cancel-texts'
import type { MenuItem } from '#contracts/catalogue'
import { type CycleWeek, getCutoff, listCycles, type OrderCycle } from '#contracts/cycles'
import { endpointQuery } from '../lib/endpoint-query'
import { dayAndMonth, weekdayOf } from '../lib/format'
import { schoolClock, schoolDate } from '../lib/school-moment'

export const cyclesQuery = endpointQuery('cycles', listCycles, {})
export const cutoffQuery = endpointQuery('cycles', getCutoff, {})

const calendarStaleMs = 5 * 60_000

// Margin, so that the server answers from after the change.
const answerAfterMs = 1_000

// Somebody may change the cutoff or close a day.
const askEveryMs = 60_000

/** In ms: until a day changes by itself, as the server says, and a minute at most. */
export const untilDaysChange = (cycles: readonly OrderCycle[] | undefined): number => {
  const inMs = cycles?.find(({ isActive }) => isActive)?.nextChangeInMs ?? Infinity
  return Math.min(inMs + answerAfterMs, askEveryMs)
}

/** Open days follow the server's clock: refetched at the cutoff, at midnight, each minute, on focus and reconnect (days-and-changes.md section 1). */
export const calendarQuery = queryOptions({
  ...cyclesQuery,
  staleTime: calendarStaleMs,
  refetchInterval: ({ state }) => untilDaysChange(state.data),
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
})

export const calendarCutoffQuery = { ...cutoffQuery, staleTime: calendarStaleMs }

/** "08:00 on the day of the meal"; "the cutoff" while unknown. */
export const useDeadline = (): string => {
  const { data } = useQuery(calendarCutoffQuery)
  return data ? deadlineRule(data) : 'the cutoff'
}

type CycleDay = CycleWeek['days'][number]

/** Of the active cycle; none while unknown. */
export const daysOf = (cycles: readonly OrderCycle[] | undefined): CycleDay[] =>
  cycles?.find(({ isActive }) => isActive)?.weeks?.flatMap(({ days }) => days) ?? []

type ClosingDay = Pick<CycleDay, 'date' | 'cutoffAt'>

/** When a dish with lead days can be ordered last. */
export const cutoffOfDish = (
  { cutoffAt, earlierCutoffs }: Pick<CycleDay, 'cutoffAt' | 'earlierCutoffs'>,
  leadDays: number,
): string => earlierCutoffs?.[leadDays - 1] ?? cutoffAt

/** Of an open day, as the server said. */
export const isBeforeCutoff = ({ openLeadDays }: Pick<CycleDay, 'openLeadDays'>, leadDays: number): boolean =>
  leadDays <= (openLeadDays ?? leadDays)

type Dish = Pick<MenuItem, 'weekNumbers' | 'daysOfWeek' | 'leadDays'>

/** Dates of the active cycle on which the dish can still be ordered. */
export const openDaysOfDish = (cycles: readonly OrderCycle[], dish: Dish | undefined): string[] => {
  const weeks = cycles.find(({ isActive }) => isActive)?.weeks
  if (!weeks || !dish) return []
  const canBe = (day: CycleDay) =>
    day.state === 'open' && dish.daysOfWeek.includes(day.day) && isBeforeCutoff(day, dish.leadDays)
  return weeks
    .filter(({ week }) => dish.weekNumbers.includes(week))
    .flatMap(({ days }) => days.filter(canBe).map(({ date }) => date))
}

export const dateChoice = (date: string) => ({
  value: date,
  label: `${weekdayOf(date)}, ${dayAndMonth(date)}`,
})

const dayMs = 86_400_000

/** "08:00"; "Friday 08:00" where it is not the day itself, with the date where that Friday is not the last before it. */
export const cutoffText = ({ date, cutoffAt }: ClosingDay): string => {
  const closing = schoolDate(cutoffAt)
  if (closing === date) return schoolClock(cutoffAt)
  const isOfWeekBefore = Date.parse(date) - Date.parse(closing) < 7 * dayMs
  const day = isOfWeekBefore ? weekdayOf(closing) : `${weekdayOf(closing)}, ${dayAndMonth(closing)},`
  return `${day} ${schoolClock(cutoffAt)}`
}

/** Why a day past its cutoff is closed. */
export const pastCutoffText = (day: ClosingDay): string =>
  schoolDate(day.cutoffAt) === day.date ? "Today's orders have closed" : `Orders closed on ${cutoffText(day)}`
