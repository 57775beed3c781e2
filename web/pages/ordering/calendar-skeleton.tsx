import { Skeleton } from '../../ui/skeleton'

const days = [1, 2, 3, 4, 5]

/** The place of the first week while the menu is on its way. */
export const CalendarSkeleton = () => (
  <output className="flex flex-col gap-3">
    <span className="sr-only">Loading</span>
    <Skeleton className="h-9 w-2/3 sm:w-1/3" />
    <div className="grid-cards grid gap-3">
      {days.map((day) => (
        <Skeleton key={day} className="h-80" />
      ))}
    </div>
  </output>
)
