import { useQuery } from '@tanstack/react-query'
import { clockTime } from '../../../lib/format'
import { cutoffQuery } from '../api'
import { orderingInWords } from '../changes/changes-in-words'

/** On paper only: lines for what is ordered or cancelled after the sheet was printed. */
export const LateChanges = ({ date }: { date: string }) => {
  const cutoff = useQuery(cutoffQuery).data
  const state = cutoff && orderingInWords(date, clockTime(cutoff.cutoffHour, cutoff.cutoffMinute))
  return (
    <section aria-label="Late changes" className="mb-5 hidden break-inside-avoid print:block">
      <p>
        <strong className="font-semibold">Late changes</strong>
        {state ? ` · ${state}` : null}
      </p>
      <div className="h-8 border-b border-ink" />
      <div className="h-8 border-b border-ink" />
    </section>
  )
}
