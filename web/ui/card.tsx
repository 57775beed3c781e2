import type { HTMLAttributes, ReactNode } from 'react'
import { classes } from '../lib/classes'

/** A piece of the page on its own paper. */
export const Card = ({ className, ...rest }: HTMLAttributes<HTMLDivElement>) => (
  <div {...rest} className={classes('card', className)} />
)

type CardHeadingProps = { title: ReactNode; hint?: ReactNode; actions?: ReactNode; level?: 1 | 2 | 3 }

/** The heading of a card with what can be done to the whole of it at its end. */
export const CardHeading = ({ title, hint, actions, level = 2 }: CardHeadingProps) => {
  const Heading = `h${level}` as const
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-4 sm:px-6 sm:pt-5 print:px-0">
      <div>
        <Heading className="font-display text-xl font-semibold">{title}</Heading>
        {hint ? <p className="text-sm text-muted">{hint}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </div>
  )
}

export const CardBody = ({ className, ...rest }: HTMLAttributes<HTMLDivElement>) => (
  <div {...rest} className={classes('px-4 py-4 sm:px-6 sm:py-5 print:px-0 print:py-2', className)} />
)
