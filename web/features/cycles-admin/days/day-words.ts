import type { cycleDays } from '#contracts/closures'
import type { ReplyOf } from '#contracts/endpoint'
import { counted, dateRange, longDay } from '../../../lib/format'
import type { IconName } from '../../../ui/icon'

/** A day of a cycle with its orders and closure. */
export type CycleDay = ReplyOf<typeof cycleDays>['days'][number]

const states: Record<CycleDay['state'], readonly [words: string, icon: IconName]> = {
  open: ['Open', 'check'],
  blocked: ['Closed', 'lock'],
  past: ['Past', 'history'],
  cutoff: ['After the cutoff', 'clock'],
}

const shownState = (day: CycleDay) => states[day.closure ? 'blocked' : day.state]

export const stateWords = (day: CycleDay): string => shownState(day)[0]
export const dayIcon = (day: CycleDay): IconName => shownState(day)[1]

/** A day in one line: "Monday, 14 September 2026: Open, 49 orders". */
export const dayLabel = (day: CycleDay): string =>
  `${longDay(day.date)}: ${stateWords(day)}, ${counted(day.orders, 'order')}`

/** Whether a day can still be closed. */
export const isClosable = (day: CycleDay): boolean => day.closure === null && day.state !== 'past'

/** The days of a closure in a few words: its date, or how many they are and from when to when. */
export const datesWords = (dates: readonly string[]): string => {
  const [first = '', last = first] = [dates[0], dates.at(-1)]
  return dates.length <= 1 ? longDay(first) : `${counted(dates.length, 'day')}, ${dateRange(first, last)}`
}

/** How money goes back, in words. */
export const remedyWords = { refund: 'refund', credit: 'family credit' } as const
