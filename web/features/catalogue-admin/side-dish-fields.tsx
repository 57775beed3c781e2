import { useState } from 'react'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'
import { TextField } from '../../ui/text-field'
import { setList } from './list-fields'
import { withSideDish } from './proteins'
import type { ItemFormState } from './use-item-form'

/** The side dishes as a list that grows by one text at a time; empty text is ignored. */
export const SideDishFields = ({ form }: { form: ItemFormState }) => {
  const sides = form.watch('sideDishes') ?? []
  const [typed, setTyped] = useState('')
  const add = () => {
    setList(form, 'sideDishes', withSideDish(sides, typed))
    setTyped('')
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-2 sm:flex-row sm:items-end">
        <TextField
          className="min-w-0 flex-1"
          label="Side dishes (optional)"
          value={typed}
          maxLength={80}
          placeholder="Garden salad"
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button variant="secondary" icon="plus" onClick={add}>
          Add Side Dish
        </Button>
      </div>
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
                onClick={() =>
                  setList(
                    form,
                    'sideDishes',
                    sides.filter((other) => other !== side),
                  )
                }
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
