import { Icon } from '../../ui/icon'
import type { Eater } from './day-content'

type ChildSelectProps = { eaters: readonly Eater[]; chosen: Eater; onChoose: (id: number) => void }

/** Whose meals are chosen, within reach of the thumb; with a second child also the way to that one. */
export const ChildSelect = ({ eaters, chosen, onChoose }: ChildSelectProps) =>
  eaters.length < 2 ? (
    <p className="flex min-h-11 min-w-0 flex-1 basis-[7rem] items-center gap-2 font-semibold">
      <Icon name="person" size="sm" className="text-muted" />
      <span className="truncate">{chosen.name}</span>
    </p>
  ) : (
    <label className="relative flex min-h-11 min-w-0 flex-1 basis-[7rem] items-center gap-2 rounded-md border border-sand-300 bg-sand-50 px-2 text-sm font-semibold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-500">
      <span className="min-w-0 flex-1 truncate" aria-hidden="true">
        {chosen.name}
      </span>
      <Icon name="chevron-down" size="sm" className="text-muted" />
      <select
        aria-label="Ordering for"
        value={chosen.id}
        onChange={(event) => onChoose(Number(event.target.value))}
        className="absolute inset-0 w-full cursor-pointer text-ink opacity-0"
      >
        {eaters.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  )
