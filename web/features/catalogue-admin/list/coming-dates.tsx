import { useQuery } from '@tanstack/react-query'
import type { PortionsLeft } from '#contracts/portions'
import { longDay, wholeNumber } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { QueryResult } from '../../../ui/query-result'
import { portionsQuery } from '../api'

type ComingDatesProps = {
  itemId: number
  /** Two months at most. */
  from: string
  to: string
  busy: boolean
  onAllow: (date: string) => void
}

/** The dates on which an item is sold out by hand, and those on which portions of a limited one are ordered. */
export const ComingDates = ({ itemId, from, to, busy, onAllow }: ComingDatesProps) => (
  <section aria-label="Coming dates" className="flex flex-col gap-2">
    <h3 className="font-semibold">Coming dates</h3>
    <QueryResult query={useQuery(portionsQuery(from, to))} failure="Failed to fetch portions">
      {({ data }) => {
        const shown = data.filter(
          ({ menuItemId, soldOut, taken }) => menuItemId === itemId && (soldOut || taken),
        )
        if (shown.length === 0)
          return <p className="text-sm text-muted">Not sold out, and no limited portions ordered.</p>
        return (
          <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
            {shown.map((one) => (
              <ComingDate key={one.date} {...one} busy={busy} onAllow={() => onAllow(one.date)} />
            ))}
          </ul>
        )
      }}
    </QueryResult>
  </section>
)

type ComingDateProps = PortionsLeft & { busy: boolean; onAllow: () => void }

const ComingDate = ({ busy, onAllow, ...portions }: ComingDateProps) => (
  <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2">
    <div className="min-w-0">
      <p className="font-semibold">{longDay(portions.date)}</p>
      <p className="text-sm text-muted">{portionWords(portions)}</p>
    </div>
    {portions.soldOut ? (
      <Button
        size="sm"
        variant="secondary"
        disabled={busy}
        aria-label={`Allow again on ${longDay(portions.date)}`}
        onClick={onAllow}
      >
        Allow again
      </Button>
    ) : null}
  </li>
)

const portionWords = ({ limit, left, taken = 0, soldOut }: PortionsLeft): string => {
  const ordered = `${wholeNumber(taken)}${limit === null ? '' : ` of ${wholeNumber(limit)}`} ordered`
  if (soldOut) return `Sold out by hand, ${ordered}`
  return `${ordered}, ${left === 0 ? 'none' : wholeNumber(left)} left`
}
