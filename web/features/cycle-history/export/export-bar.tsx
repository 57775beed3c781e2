import { useQuery } from '@tanstack/react-query'
import { counted, wholeNumber } from '../../../lib/format'
import { schoolDate } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { cyclesQuery } from '../api'
import type { HistoryFilters } from '../history-filters'
import type { Progress } from './read-all-orders'
import { useExport } from './use-export'

/** The button that makes a file of every order that matches, and how far it is. */
export const ExportBar = ({ filters }: { filters: HistoryFilters }) => {
  const { progress, run, stop } = useExport()
  const cycles = useQuery(cyclesQuery)
  const today = () =>
    cycles.data?.find(({ isActive }) => isActive)?.today ?? schoolDate(new Date().toISOString())
  if (progress) return <ExportProgress progress={progress} onStop={stop} />
  return (
    <Button variant="secondary" icon="download" onClick={() => void run(filters, today())}>
      Export CSV
    </Button>
  )
}

const ExportProgress = ({
  progress: { read, total },
  onStop,
}: {
  progress: Progress
  onStop: () => void
}) => (
  <div className="flex min-w-0 flex-1 items-center justify-end gap-3">
    <label className="flex min-w-0 max-w-form flex-1 flex-col gap-1 text-sm text-muted">
      <span className="money">
        {total === 0 ? 'Exporting orders' : `Exporting ${wholeNumber(read)} of ${counted(total, 'order')}`}
      </span>
      <progress value={total === 0 ? undefined : read} max={total || undefined} className="progress" />
    </label>
    <Button variant="ghost" size="sm" onClick={onStop}>
      Stop
    </Button>
  </div>
)
