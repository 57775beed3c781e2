import { Icon } from '../../ui/icon'
import type { Eater } from './day-content'

type StudentSwitcherProps = { eaters: readonly Eater[]; chosen: Eater; onChoose: (id: number) => void }

/** The child the meals are for, within reach of the thumb while the menu scrolls. */
export const StudentSwitcher = ({ eaters, chosen, onChoose }: StudentSwitcherProps) =>
  eaters.length < 2 ? null : (
    <label className="pointer-events-auto relative flex min-h-12 min-w-0 items-center gap-2 rounded-full bg-brand-700 px-4 font-semibold text-white shadow-raised has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-500">
      <Icon name="person" size="sm" />
      <span className="truncate" aria-hidden="true">
        {chosen.name}
      </span>
      <Icon name="switch" size="sm" />
      <select
        aria-label="Ordering for"
        value={chosen.id}
        onChange={(event) => onChoose(Number(event.target.value))}
        className="absolute inset-0 w-full cursor-pointer rounded-full text-ink opacity-0"
      >
        {eaters.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  )
