import type { CycleWeek } from '#contracts/cycles'
import { classes } from '../../lib/classes'

type WeekJumpProps = { weeks: readonly CycleWeek[]; today: string; onJump: (week: number) => void }

/** The weeks of the cycle to jump to, always at hand; the current one is marked. */
export const WeekJump = ({ weeks, today, onJump }: WeekJumpProps) => (
  <nav
    aria-label="Weeks"
    className="side-scroll sticky top-0 z-10 -mx-4 flex gap-1.5 overflow-x-auto bg-page px-4 py-1 md:py-2"
  >
    {weeks.map(({ week, startDate, endDate }) => {
      const isNow = startDate <= today && today <= endDate
      return (
        <button
          key={week}
          type="button"
          aria-current={isNow ? 'date' : undefined}
          onClick={() => onJump(week)}
          className={classes(
            'min-h-11 flex-1 rounded-md border px-1 text-sm font-semibold whitespace-nowrap sm:flex-none sm:px-4',
            isNow
              ? 'border-brand-700 bg-brand-50 text-brand-800 underline decoration-2 underline-offset-4'
              : 'border-sand-300 bg-surface hover:bg-sand-100',
          )}
        >
          Week {week}
        </button>
      )
    })}
  </nav>
)
