import type { MenuItem } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
import type { AmendedLine, AttemptItem, FailedOrder } from '#contracts/payments-console'
import { capitalised, kwacha } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Select } from '../../../ui/select'
import { childChoices, dayChoices, dayKey, itemChoices, onDay, withItem } from './amendments'

type LineAmendmentProps = {
  order: FailedOrder
  line: AttemptItem
  amendment: AmendedLine
  menu: MenuItem[]
  cycles: OrderCycle[]
  onChange: (amendment: AmendedLine) => void
  onUndo: () => void
}

/** Another meal, day or child for a line that could not become an order, within what was paid for it. */
export const LineAmendment = ({ order, line, amendment, menu, onChange, ...rest }: LineAmendmentProps) => (
  <fieldset className="mt-2 grid gap-3 rounded-md border border-line bg-sand-50 p-3 sm:grid-cols-2">
    <legend className="sr-only">{`Change ${line.menuItem.name} for ${line.student.name}`}</legend>
    <Select
      label="Child"
      options={childChoices(line, order)}
      value={String(amendment.studentId)}
      onChange={(event) => onChange({ ...amendment, studentId: Number(event.target.value) })}
    />
    <Select
      label="Day"
      options={dayChoices(line, rest.cycles)}
      value={dayKey(amendment)}
      onChange={(event) => onChange(onDay(amendment, event.target.value))}
    />
    <Select
      label="Meal"
      hint={`Meals of at most ${kwacha(line.originalPrice)}, the price of this line`}
      className="sm:col-span-2"
      options={itemChoices(line, amendment, menu)}
      value={String(amendment.menuItemId)}
      onChange={(event) => {
        const item = menu.find(({ id }) => id === Number(event.target.value))
        onChange(item ? withItem(amendment, item) : { ...amendment, menuItemId: line.menuItem.id })
      }}
    />
    <PlateFields
      item={menu.find(({ id }) => id === amendment.menuItemId)}
      amendment={amendment}
      onChange={onChange}
    />
    <Button size="sm" variant="ghost" icon="undo" className="justify-self-start" onClick={rest.onUndo}>
      Leave as ordered
    </Button>
  </fieldset>
)

type PlateFieldsProps = Pick<LineAmendmentProps, 'amendment' | 'onChange'> & { item: MenuItem | undefined }

const PlateFields = ({ item, amendment, onChange }: PlateFieldsProps) => (
  <>
    {item && item.categories.length > 0 ? (
      <Select
        label="Protein"
        options={optionsWith(item.categories, amendment.category)}
        value={amendment.category ?? ''}
        onChange={(event) => onChange({ ...amendment, category: event.target.value || null })}
      />
    ) : null}
    {item && item.sideDishes.length > 0 ? (
      <Select
        label="Side dish"
        options={optionsWith(item.sideDishes, amendment.sideDish)}
        value={amendment.sideDish ?? ''}
        onChange={(event) => onChange({ ...amendment, sideDish: event.target.value || null })}
      />
    ) : null}
  </>
)

/** What is offered, and first what was ordered where that is none of it. */
const optionsWith = (offers: string[], ordered: string | null | undefined) => {
  const options = offers.map((value) => ({ value, label: capitalised(value) }))
  if (ordered && offers.includes(ordered)) return options
  return [
    { value: ordered ?? '', label: ordered ? `${capitalised(ordered)} (as ordered)` : 'None' },
    ...options,
  ]
}
