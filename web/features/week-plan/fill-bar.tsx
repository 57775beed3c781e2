import { capitalised, counted } from '../../lib/format'
import { Button } from '../../ui/button'
import { missingProteins, needsProtein, needsSide, withProtein, withSides } from './plan-rows'
import type { PlanRow } from './suggest-week'

type FillBarProps = { rows: readonly PlanRow[]; onFill: (rows: PlanRow[]) => void }

/** One press for all days of all children that still wait for a protein or a side; nothing once none does. */
export const FillBar = ({ rows, onFill }: FillBarProps) => {
  const proteins = rows.filter(needsProtein).length
  const sides = rows.filter(needsSide).length
  if (proteins === 0 && sides === 0) return null
  const words = [
    proteins > 0 ? counted(proteins, 'protein') : null,
    sides > 0 ? counted(sides, 'side dish', 'side dishes') : null,
  ].filter(Boolean)
  return (
    <fieldset className="w-full rounded-md bg-accent-50 px-3 py-2">
      <legend className="float-left mb-1 w-full text-sm font-semibold text-accent-800">
        Still to choose: {words.join(', ')}
      </legend>
      <div className="clear-both flex flex-wrap gap-2">
        {missingProteins(rows).map((protein) => (
          <Button
            key={protein}
            variant="secondary"
            className="px-3! text-sm!"
            onClick={() => onFill(withProtein(rows, protein))}
          >
            {capitalised(protein)}
          </Button>
        ))}
        {sides > 0 ? (
          <Button variant="secondary" className="px-3! text-sm!" onClick={() => onFill(withSides(rows))}>
            Any side dish
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}
