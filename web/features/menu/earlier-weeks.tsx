import type { CycleWeek } from '#contracts/cycles'
import { Badge } from '../../ui/badge'
import { Icon } from '../../ui/icon'

type EarlierWeeksProps = { weeks: readonly CycleWeek[]; shown: boolean; onShow: () => void }

/** Several weeks with nothing left to order, before the first that has something, in one line. */
export const EarlierWeeks = ({ weeks, shown, onShow }: EarlierWeeksProps) => (
  <button
    type="button"
    aria-expanded={shown}
    onClick={onShow}
    className="flex min-h-11 flex-wrap items-center gap-x-3 rounded-md border-b border-line text-left"
  >
    <span className="flex-1 font-display text-lg leading-tight font-semibold sm:flex-none">
      Weeks {weeks[0]!.week} – {weeks.at(-1)!.week}
    </span>
    <span className="sm:flex-1">
      <Badge icon="check">
        {weeks.every(({ completed }) => completed) ? 'Completed' : 'Nothing left to order'}
      </Badge>
    </span>
    <Icon name={shown ? 'chevron-up' : 'chevron-down'} className="text-muted" />
  </button>
)
