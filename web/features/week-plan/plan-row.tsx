import { capitalised, dayAndMonth, dayName, kwacha } from '../../lib/format'
import { Checkbox } from '../../ui/checkbox'
import { Select } from '../../ui/select'
import { needsProtein, needsSide } from './plan-rows'
import type { PlanRow } from './suggest-week'
import { mealNotes } from './words'

/** Where the choice of a day stands in the form. */
export const fieldId = (form: string, { day }: PlanRow, what: 'protein' | 'side'): string =>
  `${form}-${day.day}-${what}`

type PlanRowProps = {
  row: PlanRow
  form: string
  /** After a first try, what is missing says so. */
  tried: boolean
  onChange: (row: PlanRow) => void
  onMeal: (itemId: number) => void
}

/** One day of the plan: taken or skipped, and what is eaten. */
export const PlanRowFields = ({ row, form, tried, onChange, onMeal }: PlanRowProps) => {
  const { day, date } = row.day
  return (
    <li className="py-2">
      <fieldset>
        <legend className="sr-only">
          {dayName(day)} {dayAndMonth(date)}
        </legend>
        <div className="flex items-center justify-between gap-3">
          <Checkbox
            className="min-h-11"
            checked={!row.skipped}
            onChange={() => onChange({ ...row, skipped: !row.skipped })}
            label={
              <>
                <strong>{dayName(day)}</strong>{' '}
                <span className="text-sm text-muted">{dayAndMonth(date)}</span>
              </>
            }
          />
          {row.skipped ? <span className="text-sm text-muted">Skipped</span> : <Price row={row} />}
        </div>
        {row.skipped ? null : (
          <>
            <MealChoices row={row} form={form} tried={tried} onChange={onChange} onMeal={onMeal} />
            <p className="mt-1 text-xs text-muted">{mealNotes(row).join(' · ')}</p>
          </>
        )}
      </fieldset>
    </li>
  )
}

const Price = ({ row }: { row: PlanRow }) => {
  const { price, discountPrice } = row.meal.item
  const reduced = discountPrice !== undefined && Number(price) > 0
  return (
    <p className="money font-semibold">
      {reduced ? (
        <s className="mr-2 text-sm font-normal text-muted max-sm:sr-only">
          <span className="sr-only">Instead of </span>
          {kwacha(price)}
        </s>
      ) : null}
      <span className={reduced ? 'text-accent-700' : undefined}>{kwacha(discountPrice ?? price)}</span>
    </p>
  )
}

const MealChoices = ({ row, form, tried, onChange, onMeal }: PlanRowProps) => {
  const { meals } = row.day
  const { item, sides } = row.meal
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        label="Meal"
        hideLabel
        options={meals.map(({ item: { id, name } }) => ({ value: String(id), label: name }))}
        value={item.id}
        onChange={(event) => onMeal(Number(event.target.value))}
        className="min-w-full flex-[2] sm:min-w-0"
      />
      {item.categories.length > 0 ? (
        <Select
          id={fieldId(form, row, 'protein')}
          label="Protein"
          hideLabel
          placeholder="Protein"
          options={item.categories.map((name) => ({ value: name, label: capitalised(name) }))}
          value={row.protein}
          error={tried && needsProtein(row) ? 'Choose a protein' : undefined}
          onChange={(event) => onChange({ ...row, protein: event.target.value })}
          className="min-w-0 flex-1"
        />
      ) : null}
      {sides.length > 0 ? (
        <Select
          id={fieldId(form, row, 'side')}
          label="Side dish"
          hideLabel
          placeholder="Side dish"
          options={sides.map((name) => ({ value: name, label: capitalised(name) }))}
          value={row.side}
          error={tried && needsSide(row) ? 'Choose a side dish' : undefined}
          onChange={(event) => onChange({ ...row, side: event.target.value })}
          className="min-w-0 flex-1"
        />
      ) : null}
    </div>
  )
}
