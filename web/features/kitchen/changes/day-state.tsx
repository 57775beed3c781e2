import { useQuery } from '@tanstack/react-query'
import { clockTime } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { changesQuery, cutoffQuery } from '../api'
import { orderingInWords, sincePrinted } from './changes-in-words'

type DayStateProps = { date: string; onChanges: () => void }

/** Whether the day can still be ordered, what changed since its list was printed, and the way to it. */
export const DayState = ({ date, onChanges }: DayStateProps) => {
  const cutoff = useQuery(cutoffQuery).data
  const changes = useQuery(changesQuery(date)).data
  const until = cutoff && clockTime(cutoff.cutoffHour, cutoff.cutoffMinute)
  const state = until ? orderingInWords(date, until) : null
  const words = [state, changes && sincePrinted(changes)].filter(Boolean).join(' · ')
  return (
    <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      {words === '' ? null : <p className="font-semibold">{words}</p>}
      <Button variant="secondary" size="sm" icon="list" onClick={onChanges}>
        Changes
      </Button>
    </div>
  )
}
