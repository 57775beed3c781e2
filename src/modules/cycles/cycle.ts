import type { SchoolDate } from '#kernel/school-time'

/** `week` from 1, `day` 1 (Monday) to 5. */
export type CycleDay = { week: number; day: number }

export type CyclePlan = { startDate: SchoolDate; cycleLength: number; blockedDays: CycleDay[] }

export type Cycle = CyclePlan & { id: number; isActive: boolean; createdAt: Date }

export type Cutoff = { hour: number; minute: number }

export const defaultCycleLength = 4

export const isInsideCycle = (cycle: Pick<Cycle, 'cycleLength'>, { week, day }: CycleDay): boolean =>
  week >= 1 && week <= cycle.cycleLength && day >= 1 && day <= 5
