import type { SchoolDate } from '#kernel/school-time'

/** A place in a cycle's calendar: `week` from 1, `day` 1 (Monday) to 5. */
export type CycleDay = { week: number; day: number }

/** What an administrator plans: 4 or 6 school weeks from a Monday, some days without meals. */
export type CyclePlan = { startDate: SchoolDate; cycleLength: number; blockedDays: CycleDay[] }

export type Cycle = CyclePlan & { id: number; isActive: boolean; createdAt: Date }

/** The time of day from which today's meal can no longer be ordered. */
export type Cutoff = { hour: number; minute: number }

/** The cycle-length setting while no cycle is active (administrator.md section 9). */
export const defaultCycleLength = 4

export const isInsideCycle = (cycle: Pick<Cycle, 'cycleLength'>, { week, day }: CycleDay): boolean =>
  week >= 1 && week <= cycle.cycleLength && day >= 1 && day <= 5
