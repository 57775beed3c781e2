import type { ReactNode } from 'react'
import { Checkbox } from '../../ui/checkbox'

type SelectBoxProps = {
  label: ReactNode
  /** The name for screen readers where the label alone does not tell it from others. */
  name?: string
  ids: string[]
  chosen: number
  onSwitch: () => void
}

/** A box over several orders: ticked when all are chosen, half when some are. */
export const SelectBox = ({ label, name, ids, chosen, onSwitch }: SelectBoxProps) => (
  <Checkbox
    label={label}
    aria-label={name}
    checked={ids.length > 0 && chosen === ids.length}
    ref={(box) => {
      if (box) box.indeterminate = chosen > 0 && chosen < ids.length
    }}
    onChange={onSwitch}
    className="min-h-11! font-semibold"
  />
)
