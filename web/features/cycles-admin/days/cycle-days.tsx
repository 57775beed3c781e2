import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { classes } from '../../../lib/classes'
import { counted, dayAndMonth, dayName } from '../../../lib/format'
import { lazyComponent, usePreload } from '../../../lib/lazy'
import { Icon } from '../../../ui/icon'
import { QueryResult, Skeleton } from '../../../ui/query-result'
import { daysQuery } from '../api'
import { type CycleDay, dayIcon, dayLabel, stateText } from '../cycle-text'

const DaySheet = lazyComponent(() => import('./day-sheet').then((m) => m.DaySheet))

export const CycleDays = ({ cycleId, weeks }: { cycleId: number; weeks: number }) => {
  const query = useQuery(daysQuery(cycleId))
  const [opened, setOpened] = useState<string | null>(null)
  usePreload(DaySheet)
  return (
    <QueryResult query={query} failure="Failed to fetch days" waiting={<DaysSkeleton weeks={weeks} />}>
      {({ days }) => {
        const day = days.find(({ date }) => date === opened)
        return (
          <div className="flex w-full flex-col gap-3">
            <Legend />
            {[...new Set(days.map(({ week }) => week))].map((week) => (
              <section key={week} aria-label={`Week ${week}`}>
                <h3 className="mb-1 text-sm font-semibold text-sand-800">{`Week ${week}`}</h3>
                <ul className="grid grid-cols-5 gap-2">
                  {days
                    .filter((one) => one.week === week)
                    .map((one) => (
                      <li key={one.date} className="min-w-0">
                        <DayButton day={one} onOpen={() => setOpened(one.date)} />
                      </li>
                    ))}
                </ul>
              </section>
            ))}
            <Suspense>
              {day ? (
                <DaySheet
                  key={day.date}
                  cycleId={cycleId}
                  days={days}
                  day={day}
                  onClose={() => setOpened(null)}
                />
              ) : null}
            </Suspense>
          </div>
        )
      }}
    </QueryResult>
  )
}

const Legend = () => <p className="text-sm text-muted md:hidden">The number under each day is its orders.</p>

/** As high as the days. */
const DaysSkeleton = ({ weeks }: { weeks: number }) => (
  <output className="flex w-full flex-col gap-3">
    <span className="sr-only">Loading</span>
    <Legend />
    {Array.from({ length: weeks }, (_, at) => (
      <div key={at}>
        <p className="mb-1 text-sm font-semibold text-sand-800">{`Week ${at + 1}`}</p>
        <div className="flex min-h-16 flex-col gap-0.5 rounded-md border border-transparent p-1 text-xs">
          <Skeleton className="h-[1lh]" />
          <Skeleton className="h-[1lh]" />
          <Skeleton className="h-[1lh]" />
          <Skeleton className="h-[1lh]" />
        </div>
      </div>
    ))}
  </output>
)

const DayButton = ({ day, onOpen }: { day: CycleDay; onOpen: () => void }) => (
  <button
    type="button"
    aria-haspopup="dialog"
    onClick={onOpen}
    className={classes(
      'flex h-full min-h-16 w-full flex-col items-center gap-0.5 rounded-md border p-1 text-center text-xs transition-colors',
      day.closure
        ? 'border-danger-600 bg-danger-50 text-danger-700 hover:bg-danger-100'
        : day.closures.length > 0 && day.state === 'open'
          ? 'border-warning-700 bg-warning-50 text-warning-700 hover:bg-warning-100'
          : day.state === 'open'
            ? 'border-sand-300 bg-surface hover:bg-sand-50'
            : 'border-line bg-sand-100 text-muted hover:bg-sand-200',
    )}
  >
    <span className="sr-only">{dayLabel(day)}</span>
    <span aria-hidden="true" className="contents">
      <span>{dayName(day.day).slice(0, 3)}</span>
      <span className="money font-semibold">
        {dayAndMonth(day.date).split(' ')[0]}
        <span className="hidden md:inline">{` ${dayAndMonth(day.date).split(' ')[1]}`}</span>
      </span>
      <span className="inline-flex items-center gap-1">
        <Icon name={dayIcon(day)} size="sm" />
        <span className="hidden md:inline">{stateText(day)}</span>
      </span>
      <span className="money">
        {day.orders}
        <span className="hidden md:inline">{` ${counted(day.orders, 'order').split(' ')[1]}`}</span>
      </span>
    </span>
  </button>
)
