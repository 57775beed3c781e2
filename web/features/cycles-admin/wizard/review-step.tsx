import { useFormContext } from 'react-hook-form'
import { longDay } from '../../../lib/format'
import { cycleDate, lastDay } from '../cycle-calendar'
import { Facts } from '../facts'
import { type NewCycle, startOf } from './wizard'

/** Step 4: everything chosen, to read once more. */
export const ReviewStep = () => {
  const { cycleLength, picked, blockedDays = [] } = useFormContext<NewCycle>().getValues()
  const startDate = startOf(picked)
  return (
    <div className="flex flex-col gap-5">
      <Facts
        facts={[
          ['Length', `${cycleLength} weeks`],
          ['Start date', longDay(startDate)],
          ['End date', longDay(lastDay(startDate, cycleLength))],
          ['Blocked days', blockedDays.length === 0 ? 'None' : String(blockedDays.length)],
        ]}
      />
      {blockedDays.length > 0 ? (
        <ul className="flex flex-col gap-1 text-sm">
          {blockedDays.map(({ week, day }) => (
            <li key={`${week}.${day}`}>{`Week ${week}: ${longDay(cycleDate(startDate, week, day))}`}</li>
          ))}
        </ul>
      ) : null}
      <p className="rounded-md bg-brand-50 p-3 text-sm text-brand-800">
        Creating the cycle makes it active at once: families can order for all its open days.
      </p>
    </div>
  )
}
