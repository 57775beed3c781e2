import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { longDay } from '../../../lib/format'
import { Notice } from '../../../ui/notice'
import { QueryResult } from '../../../ui/query-result'
import { planQuery } from '../api'
import { cycleDate, lastDay } from '../cycle-calendar'
import { Facts } from '../facts'
import { overlapText } from '../overlap'
import { type NewCycle, startOf } from './wizard'

/** Step 4: everything chosen, to read once more. */
export const ReviewStep = () => {
  const { cycleLength, picked, blockedDays = [] } = useFormContext<NewCycle>().getValues()
  const startDate = startOf(picked)
  const preview = useQuery(planQuery({ startDate, cycleLength, blockedDays }))
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
      <QueryResult query={preview} failure="Failed to check orders">
        {({ overlap }) =>
          overlap.orders === 0 ? (
            <p className="text-sm text-muted">No orders of other cycles stand on these dates.</p>
          ) : (
            <Notice tone="warning">
              <p>{overlapText(overlap)}</p>
            </Notice>
          )
        }
      </QueryResult>
      <p className="rounded-md bg-brand-50 p-3 text-sm text-brand-800">
        Creating the cycle makes it active at once: families can order for all its open days.
      </p>
    </div>
  )
}
