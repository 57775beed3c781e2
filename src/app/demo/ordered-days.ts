import { schoolMoment } from '#kernel/school-time'

/** A day of the demonstration's cycle, `day` 1 (Monday) to 5. */
export type SchoolDay = { week: number; day: number }

/** The school day that the kitchen shows first: today, or at a weekend the Monday after it. */
export const firstKitchenDay = (opening: Date, zone: string): SchoolDay => {
  const { weekday } = schoolMoment(opening, zone)
  return weekday <= 5 ? { week: 1, day: weekday } : { week: 2, day: 1 }
}

/** Most families order the weeks up to the one the kitchen looks at, some fewer days; of the second some order ahead. */
export const daysOf = (index: number, kitchenWeek: number): SchoolDay[] =>
  [1, 2].flatMap((week) =>
    [1, 2, 3, 4, 5]
      .filter((day) => (week <= kitchenWeek ? (index + day) % 5 !== 0 : (index + day) % 3 === 0))
      .map((day) => ({ week, day })),
  )
