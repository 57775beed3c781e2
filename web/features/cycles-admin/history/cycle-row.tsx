import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { cycleHistory } from '#contracts/cycle-history'
import type { ReplyOf } from '#contracts/endpoint'
import { counted, dateRange, kwacha, longDay, wholeNumber } from '../../../lib/format'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Icon } from '../../../ui/icon'
import { resumeCycle } from '../api'
import { CycleDays } from '../days/cycle-days'
import { Facts } from '../facts'
import { startedToast } from '../overlap'

type PastCycle = ReplyOf<typeof cycleHistory>['data'][number]

type CycleRowProps = {
  cycle: PastCycle
  open: boolean
  onToggle: () => void
  /** True while no cycle is active. */
  mayReactivate: boolean
}

/** One cycle of the history; opened it tells when it ran and what was ordered in it. */
export const CycleRow = ({ cycle, open, onToggle, mayReactivate }: CycleRowProps) => {
  const id = useId()
  return (
    <li>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
          className="flex min-h-14 w-full items-center gap-3 px-3 py-2 text-left hover:bg-sand-50 sm:px-4"
        >
          <Icon name={open ? 'chevron-up' : 'chevron-down'} className="text-muted" />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
            <span className="font-semibold">{dateRange(cycle.startDate, cycle.endDate)}</span>
            <span className="flex flex-1 items-center justify-between gap-3 text-sm text-muted">
              {counted(cycle.cycleLength, 'week')}
              {cycle.isActive ? <Badge tone="brand">Active</Badge> : <Badge>Inactive</Badge>}
            </span>
          </span>
        </button>
      </h3>
      {open ? (
        <div id={id} className="flex flex-col items-start gap-4 bg-sand-50 px-4 py-4 sm:pl-12">
          <Facts
            facts={[
              ['Start', longDay(cycle.startDate)],
              ['End', longDay(cycle.endDate)],
              ['Total orders', wholeNumber(cycle.totalOrders)],
              ['Total revenue', kwacha(cycle.totalRevenue)],
            ]}
          />
          {!cycle.isActive && cycle.endDate >= schoolDate(schoolNow()) ? (
            <CycleDays cycleId={cycle.cycleId} weeks={cycle.cycleLength} />
          ) : null}
          {mayReactivate && !cycle.isActive ? <Reactivate id={cycle.cycleId} /> : null}
        </div>
      ) : null}
    </li>
  )
}

const Reactivate = ({ id }: { id: number }) => {
  const resume = useMutation(resumeCycle)
  return (
    <Button
      size="sm"
      icon="undo"
      busy={resume.isPending}
      onClick={() =>
        void notifyOutcome(resume.mutateAsync({ params: { id } }), {
          done: ({ overlap }) => startedToast('Cycle reactivated', overlap),
          failed: 'Failed to reactivate cycle',
        })
      }
    >
      Reactivate This Cycle
    </Button>
  )
}
