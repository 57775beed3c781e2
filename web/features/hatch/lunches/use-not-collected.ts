import { useQuery } from '@tanstack/react-query'
import { schoolClock, schoolDate, schoolNow } from '../../../lib/school-moment'
import { useNow } from '../../../lib/use-now'
import { notCollectedQuery } from '../api'
import { isNotCollected, type ShownLunch } from './shown-lunches'

const toldFrom = '14:00'

/**
 * The lunches of this date that nobody came for, null before 14:00 of the school's clock. The server's list while it is
 * looked at and the server answers, with what this device knows on top; else this device's own.
 */
export const useNotCollected = (
  date: string,
  all: readonly ShownLunch[],
  isLookedAt: boolean,
): readonly ShownLunch[] | null => {
  const now = schoolNow(useNow(15_000))
  const isOver = schoolDate(now) > date || (schoolDate(now) === date && schoolClock(now) >= toldFrom)
  const { data, isError, isPaused } = useQuery({ ...notCollectedQuery(date), enabled: isOver && isLookedAt })
  if (!isOver) return null
  if (!data || !isLookedAt || isError || isPaused) return all.filter(isNotCollected)
  const orders = new Set(data.classes.flatMap(({ lunches }) => lunches.map(({ orderId }) => orderId)))
  return all.filter(({ lunch }) => orders.has(lunch.orderId))
}
