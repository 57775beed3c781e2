import { capitalised } from '../../lib/format'
import { Button } from '../../ui/button'
import { missingProteins, needsProtein, needsSide, withProtein, withSides } from './plan-rows'
import type { PlanRow } from './suggest-week'

type FillBarProps = { rows: readonly PlanRow[]; onFill: (rows: PlanRow[]) => void }

/** One press for all days that still wait for a protein or a side; nothing while fewer than two do. */
export const FillBar = ({ rows, onFill }: FillBarProps) => {
  const proteins = rows.filter(needsProtein).length > 1 ? missingProteins(rows) : []
  const sides = rows.filter(needsSide).length > 1
  if (proteins.length === 0 && !sides) return null
  return (
    <fieldset className="mb-2 rounded-md bg-accent-50 px-3 py-2">
      <legend className="float-left mb-1 w-full text-sm font-semibold text-accent-800">
        For all days still to choose
      </legend>
      <div className="clear-both flex flex-wrap gap-2">
        {proteins.map((protein) => (
          <Button key={protein} variant="secondary" onClick={() => onFill(withProtein(rows, protein))}>
            {capitalised(protein)}
          </Button>
        ))}
        {sides ? (
          <Button variant="secondary" onClick={() => onFill(withSides(rows))}>
            Any side dish
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}
