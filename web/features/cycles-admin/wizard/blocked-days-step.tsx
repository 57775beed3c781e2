import { useQuery } from '@tanstack/react-query'
import { useController, useWatch } from 'react-hook-form'
import { counted } from '../../../lib/format'
import { planQuery } from '../api'
import { cycleDate } from '../cycle-calendar'
import { DayBox } from '../day-box'
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
  const startDate = startOf(picked)
  const plan = useQuery(planQuery({ startDate, cycleLength, blockedDays: [] }))
  const closed = plan.data?.closed ?? []
  const weeks = Array.from({ length: cycleLength }, (_, index) => index + 1)
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-semibold">Blocked days (optional)</legend>
      <p className="text-sm text-muted">
        Tick the days on which school is closed. Nobody can order for them until they are opened again under
        Order Cycles.
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
                date={cycleDate(startDate, week, day)}
                checked={
                  isBlocked(blocked, { week, day }) || closed.includes(cycleDate(startDate, week, day))
                }
                disabled={closed.includes(cycleDate(startDate, week, day))}
                onToggle={() => onChange(withDay(blocked, { week, day }))}
              />
            ))}
          </div>
        </div>
      ))}
      <p className="text-sm text-muted">
        {closed.length > 0 ? `${counted(closed.length, 'day is', 'days are')} closed already.` : null}
      </p>
      <p aria-live="polite" className="text-sm font-semibold">
        {blocked.length === 0 ? 'No blocked days' : counted(blocked.length, 'blocked day')}
      </p>
    </fieldset>
  )
}
