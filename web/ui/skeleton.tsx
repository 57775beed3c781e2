import { classes } from '../lib/classes'

/** The place of something still loading, as large as it will be. Give height and width by class. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden="true" className={classes('animate-skeleton rounded-md bg-sand-200', className)} />
)

/** Several lines of it, with one announcement. */
export const SkeletonLines = ({ lines = 3, className = 'h-12' }: { lines?: number; className?: string }) => (
  <output className="flex flex-col gap-3">
    <span className="sr-only">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <Skeleton key={line} className={className} />
    ))}
  </output>
)
