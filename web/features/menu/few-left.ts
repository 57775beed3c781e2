import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { portionsQuery, rulesQuery } from './api'

/** How many portions of an item are left on one day, where they are so few that it is told; 0: sold out. */
export type FewLeft = Readonly<Record<number, number>>

/** By date, of these weeks. While it is not known nothing is told: the server refuses what is sold out. */
export const useFewLeft = (weeks: readonly CycleWeek[]): Readonly<Record<string, FewLeft>> => {
  const portions = useQuery(portionsQuery(weeks[0]?.startDate, weeks.at(-1)?.endDate)).data
  const low = useQuery(rulesQuery).data?.lowPortions ?? 0
  return useMemo(() => {
    const few: Record<string, Record<number, number>> = {}
    for (const { date, menuItemId, left } of portions?.data ?? [])
      if (left === 0 || left < low) few[date] = { ...few[date], [menuItemId]: left }
    return few
  }, [portions, low])
}
