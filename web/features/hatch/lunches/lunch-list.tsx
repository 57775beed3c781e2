import { useDeferredValue } from 'react'
import { EmptyState } from '../../../ui/empty-state'
import { Card } from '../../../ui/card'
import { LunchRow, type LunchRowProps } from './lunch-row'
import { byClass, isNotCollected, type ShownLunch } from './shown-lunches'

type LunchListProps = {
  shown: readonly ShownLunch[]
  /** Of every class, also those that are not shown. */
  all: readonly ShownLunch[]
  /** By order, the mark that was made here just now. */
  undoable: ReadonlyMap<string, string>
  onAct: LunchRowProps['onAct']
}

/** More than the tallest screen shows. */
const firstDrawn = 30

/** The lunches by class; the first can be given before the rest of a long list is drawn. */
export const LunchList = ({ shown, all, undoable, onAct }: LunchListProps) => {
  const drawn = useDeferredValue(Infinity, firstDrawn)
  if (shown.length === 0)
    return (
      <Card>
        <EmptyState title="No lunch here">No lunch of this day matches the choice above.</EmptyState>
      </Card>
    )
  const whole = new Map(byClass(all))
  return (
    <div className="flex flex-col gap-4">
      {byClass(shown.slice(0, drawn)).map(([name, lunches]) => (
        <Card key={name}>
          <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 pt-3 pb-2 font-display text-xl font-semibold">
            {name}
            <span className="money font-sans text-sm font-normal text-muted">
              {givenInWords(whole.get(name) ?? [])}
            </span>
          </h2>
          <ul>
            {lunches.map((one) => (
              <LunchRow
                key={one.lunch.orderId}
                shown={one}
                isUndoable={one.mark !== null && undoable.get(one.lunch.orderId) === one.mark.markId}
                onAct={onAct}
              />
            ))}
          </ul>
        </Card>
      ))}
    </div>
  )
}

const givenInWords = (lunches: readonly ShownLunch[]) =>
  `${lunches.filter((one) => !isNotCollected(one)).length} of ${lunches.length} given`
