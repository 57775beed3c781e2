import { useController } from 'react-hook-form'
import { IconButton } from '../../../ui/icon-button'
import { AddText } from './add-text'
import type { ItemValues } from './item-values'
import { withSideDish } from './proteins'

/** The side dishes as a list that grows by one text at a time; empty text is ignored. */
export const SideDishFields = () => {
  const {
    field: { value: sides, onChange: set },
  } = useController<ItemValues, 'sideDishes'>({ name: 'sideDishes' })
  return (
    <div className="flex flex-col gap-3">
      <AddText
        label="Side dishes (optional)"
        button="Add Side Dish"
        placeholder="Garden salad"
        onAdd={(text) => set(withSideDish(sides, text))}
      />
      {sides.length > 0 ? (
        <ul aria-label="Side dishes" className="flex flex-wrap gap-2">
          {sides.map((side) => (
            <li
              key={side}
              className="inline-flex items-center rounded-md border border-line bg-sand-50 pl-3 text-sm"
            >
              {side}
              <IconButton
                icon="close"
                label={`Remove ${side}`}
                onClick={() => set(sides.filter((other) => other !== side))}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
