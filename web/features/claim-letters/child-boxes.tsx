import type { RollEntry } from '#contracts/roll'
import { classLabel } from '../../lib/format'
import { Checkbox } from '../../ui/checkbox'

type Chosen = ReadonlySet<number>
type ChildBoxesProps = {
  entries: readonly RollEntry[]
  /** Children on other pages among them. */
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
}

/** The children of a page, each with a box, and one for all of them. */
export const ChildBoxes = ({ entries, chosen, onChoose }: ChildBoxesProps) => {
  const here = entries.filter(({ id }) => chosen.has(id)).length
  const choose = (of: readonly RollEntry[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const { id } of of) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    onChoose(next)
  }
  return (
    <div className="rounded-md border border-line">
      <div className="border-b border-line bg-sand-50 px-3">
        <Checkbox
          label="All on this page"
          className="min-h-11! w-full font-semibold"
          checked={here === entries.length}
          ref={(box) => {
            if (box) box.indeterminate = here > 0 && here < entries.length
          }}
          onChange={() => choose(entries, here < entries.length)}
        />
      </div>
      <ul className="divide-y divide-line">
        {entries.map((child) => (
          <li key={child.id} className="px-3 py-1.5">
            <Checkbox
              label={<span className="font-semibold wrap-anywhere">{child.name}</span>}
              hint={<span className="wrap-anywhere">{tellingWords(child)}</span>}
              className="w-full"
              checked={chosen.has(child.id)}
              onChange={({ target }) => choose([child], target.checked)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

const tellingWords = (child: RollEntry): string =>
  [classLabel(child), child.admissionNumber && `No. ${child.admissionNumber}`, child.guardian?.name]
    .filter(Boolean)
    .join(' · ')
