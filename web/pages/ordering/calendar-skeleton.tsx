import { Skeleton } from '../../ui/skeleton'

const places = [1, 2, 3, 4, 5]

/** The place of the first week while the menu is on its way: the weeks to jump to, and days of two meals. */
export const CalendarSkeleton = () => (
  <output className="flex flex-col gap-4">
    <span className="sr-only">Loading</span>
    <Skeleton className="h-11 sm:w-1/3" />
    <Skeleton className="h-14 sm:w-2/3" />
    <div className="grid gap-3 lg:grid-cols-5">
      {places.map((day) => (
        <div key={day} className="rounded-lg border border-line bg-surface">
          <Skeleton className="h-10 rounded-b-none" />
          {places.slice(3).map((meal) => (
            <div key={meal} className="flex flex-col gap-2 p-3">
              <Skeleton className="h-5 w-2/3" />
              <Skeleton className="h-4" />
              <Skeleton className="h-11" />
            </div>
          ))}
        </div>
      ))}
    </div>
  </output>
)
