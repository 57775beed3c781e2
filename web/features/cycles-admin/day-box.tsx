import { classes } from '../../lib/classes'
import { dayAndMonth, dayName } from '../../lib/format'

type DayBoxProps = {
  week: number
  day: number
  date: string
  checked: boolean
  disabled?: boolean
  onToggle: () => void
}

/** One day of a cycle to tick, among days on which nobody can order. */
export const DayBox = ({ week, day, date, checked, disabled, onToggle }: DayBoxProps) => (
  <label
    className={classes(
      'flex min-h-14 flex-col items-center justify-center rounded-md border text-center text-xs transition-colors',
      'has-disabled:opacity-50 has-focus-visible:outline-3 has-focus-visible:outline-accent-500',
      checked
        ? 'border-danger-600 bg-danger-50 font-semibold text-danger-700'
        : 'border-sand-300 bg-surface hover:bg-sand-50',
    )}
  >
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={onToggle}
      aria-label={`Week ${week}, ${dayName(day)}, ${dayAndMonth(date)}`}
      className="sr-only"
    />
    <span>{dayName(day).slice(0, 3)}</span>
    <span className={classes('money', checked && 'line-through')}>{shortDate(date)}</span>
  </label>
)

const shortDate = (date: string) => {
  const [day, month] = dayAndMonth(date).split(' ')
  return `${day} ${month?.slice(0, 3)}`
}
