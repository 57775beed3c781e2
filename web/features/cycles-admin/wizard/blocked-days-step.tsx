import { useController, useWatch } from 'react-hook-form'
import { classes } from '../../../lib/classes'
import { counted, dayAndMonth, dayName } from '../../../lib/format'
import { cycleDate } from '../cycle-calendar'
import { isBlocked, type NewCycle, startOf, withDay } from './wizard'

const days = [1, 2, 3, 4, 5]

/** Step 3: days on which nobody can order, such as holidays; none is fine. */
export const BlockedDaysStep = () => {
  const [cycleLength, picked] = useWatch<NewCycle, ['cycleLength', 'picked']>({
    name: ['cycleLength', 'picked'],
  })
  const {
    field: { value: blocked = [], onChange },
  } = useController<NewCycle, 'blockedDays'>({ name: 'blockedDays' })
  const weeks = Array.from({ length: cycleLength }, (_, index) => index + 1)
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-semibold">Blocked days (optional)</legend>
      <p className="text-sm text-muted">
        Tick the days on which school is closed. Nobody can order for them, and they cannot be changed later.
      </p>
      {weeks.map((week) => (
        <div key={week}>
          <p className="mb-1 text-sm font-semibold text-sand-800">{`Week ${week}`}</p>
          <div className="grid grid-cols-5 gap-1.5">
            {days.map((day) => (
              <DayBox
                key={day}
                week={week}
                day={day}
                date={cycleDate(startOf(picked), week, day)}
                blocked={isBlocked(blocked, { week, day })}
                onToggle={() => onChange(withDay(blocked, { week, day }))}
              />
            ))}
          </div>
        </div>
      ))}
      <p aria-live="polite" className="text-sm font-semibold">
        {blocked.length === 0 ? 'No blocked days' : counted(blocked.length, 'blocked day')}
      </p>
    </fieldset>
  )
}

type DayBoxProps = { week: number; day: number; date: string; blocked: boolean; onToggle: () => void }

const DayBox = ({ week, day, date, blocked, onToggle }: DayBoxProps) => (
  <label
    className={classes(
      'flex min-h-14 flex-col items-center justify-center rounded-md border text-center text-xs transition-colors',
      'has-focus-visible:outline-3 has-focus-visible:outline-accent-500',
      blocked
        ? 'border-danger-600 bg-danger-50 font-semibold text-danger-700'
        : 'border-sand-300 bg-surface hover:bg-sand-50',
    )}
  >
    <input
      type="checkbox"
      checked={blocked}
      onChange={onToggle}
      aria-label={`Week ${week}, ${dayName(day)}, ${dayAndMonth(date)}`}
      className="sr-only"
    />
    <span>{dayName(day).slice(0, 3)}</span>
    <span className={classes('money', blocked && 'line-through')}>{shortDate(date)}</span>
  </label>
)

const shortDate = (date: string) => {
  const [day, month] = dayAndMonth(date).split(' ')
  return `${day} ${month?.slice(0, 3)}`
}
