import { useMutation } from '@tanstack/react-query'
import { skipPlanDay } from '#contracts/plan'
import { endpointMutation } from '../../lib/endpoint-query'
import { notifyFailure } from '../../lib/toast'
import { usePlan } from '../../queries/plan'
import { Button } from '../../ui/button'

/** Above the meals of a day that the plan would fill, or was told to skip. */
export const PlannedDay = ({ studentId, date }: { studentId: number; date: string }) => {
  const next = usePlan()?.next
  const skipping = useMutation(skip)
  const isOfDay = (one: { studentId: number; date: string }) =>
    one.studentId === studentId && one.date === date
  const planned = next?.orders.find(isOfDay)
  const skipped = next?.left.find((one) => isOfDay(one) && one.code === 'skipped')
  if (!planned && !skipped) return null
  const ask = () =>
    void skipping
      .mutateAsync({ body: { studentId, date, skip: planned !== undefined } })
      .catch((error: unknown) => notifyFailure(error, 'The plan could not be changed'))
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2 border-t border-line bg-accent-50 px-3 py-2 text-sm">
      <p className="min-w-0 break-words">
        {planned ? `Planned: ${planned.menuItem}` : 'Your plan skips this day'}
      </p>
      <Button variant="ghost" className="px-2! text-sm!" busy={skipping.isPending} onClick={ask}>
        {planned ? 'Skip this day' : 'Plan this day again'}
      </Button>
    </div>
  )
}

const skip = endpointMutation(skipPlanDay, 'ordering')
