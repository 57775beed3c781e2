import { classes } from '../../lib/classes'

type FactsProps = {
  facts: readonly (readonly [term: string, value: string])[]
  /** Short numbers, two in a row on a phone. */
  short?: boolean
}

/** A few facts of a cycle, each under its name. */
export const Facts = ({ facts, short }: FactsProps) => (
  <dl
    className={classes(
      'grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4',
      short ? 'grid-cols-2' : 'grid-cols-1',
    )}
  >
    {facts.map(([term, value]) => (
      <div key={term} className="min-w-0">
        <dt className="text-xs font-semibold text-muted">{term}</dt>
        <dd className="money font-semibold whitespace-normal">{value}</dd>
      </div>
    ))}
  </dl>
)
