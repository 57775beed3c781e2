import { Card } from '../../ui/card'
import { Skeleton } from '../../ui/skeleton'

const orders = [1, 2, 3]

/** The place of a student's orders while they are read. */
export const HistorySkeleton = () => (
  <output>
    <span className="sr-only">Loading</span>
    <Card>
      <div className="flex items-center justify-between px-4 py-4 sm:px-6">
        <div className="flex flex-col gap-2">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-4 w-28" />
        </div>
        <Skeleton className="h-10 w-20" />
      </div>
      {orders.map((order) => (
        <div key={order} className="flex flex-col gap-2 border-t border-line px-4 py-3 sm:px-6">
          <div className="flex justify-between">
            <Skeleton className="h-5 w-44" />
            <Skeleton className="h-5 w-16" />
          </div>
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-6 w-48" />
        </div>
      ))}
    </Card>
  </output>
)
