import { useController } from 'react-hook-form'
import { dietMark } from '#contracts/diet-marks'
import type { Diet } from '#contracts/eating'
import { capitalised, dayAndMonth, dayName, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { Select } from '../../ui/select'
import type { Plan } from './plan-rows'
import type { PlanRow } from './suggest-week'
import { Mark } from '../../ui/mark'
import { OldPrice } from '../../ui/old-price'

type PlanRowProps = {
  row: PlanRow
  /** Which of the plan's rows it is, from 0. */
  at: number
  diet: Diet
  onChange: (row: PlanRow) => void
  onMeal: (itemId: number) => void
}

/** One day of the plan: taken or skipped, and what is eaten. */
export const PlanRowFields = ({ row, at, diet, onChange, onMeal }: PlanRowProps) => {
  const { day, date } = row.day
  return (
    <li className="py-2">
      <fieldset>
        <legend className="sr-only">
          {dayName(day)} {dayAndMonth(date)}
        </legend>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <Checkbox
            className="min-h-11"
            checked={!row.skipped}
            onChange={() => onChange({ ...row, skipped: !row.skipped, isShort: false })}
            label={
              <>
                <strong>{dayName(day)}</strong>{' '}
                <span className="text-sm text-muted">{dayAndMonth(date)}</span>
              </>
            }
          />
          {row.skipped ? <Skipped row={row} onChange={onChange} /> : <Price row={row} />}
        </div>
        {row.skipped ? null : row.isShort ? (
          <ShortMeal row={row} diet={diet} onChange={onChange} />
        ) : (
          <>
            <MealChoices row={row} at={at} onMeal={onMeal} />
            <MealNotes row={row} diet={diet} />
          </>
        )}
      </fieldset>
    </li>
  )
}

type OneRow = Pick<PlanRowProps, 'row' | 'onChange'>

/** A day that is left out; one that could not be as last week says why, and how to fill it. */
const Skipped = ({ row, onChange }: OneRow) =>
  row.missing === undefined ? (
    <span className="text-sm text-muted">Skipped</span>
  ) : (
    <span className="flex min-w-0 flex-wrap items-center justify-end gap-x-2 text-sm text-muted">
      {row.missing}
      <Button variant="ghost" className="px-2! text-sm!" onClick={() => onChange({ ...row, skipped: false })}>
        Choose a meal
      </Button>
    </span>
  )

/** A meal in one line, with its fields on request. */
const ShortMeal = ({ row, diet, onChange }: OneRow & { diet: Diet }) => (
  <div className="flex flex-wrap items-start justify-between gap-x-3">
    <div className="min-w-0 flex-1 basis-48 text-sm">
      <p>{[row.meal.item.name, capitalised(row.protein), row.side].filter(Boolean).join(' · ')}</p>
      <MealNotes row={row} diet={diet} />
    </div>
    <Button variant="ghost" className="px-2! text-sm!" onClick={() => onChange({ ...row, isShort: false })}>
      Change
    </Button>
  </div>
)

const Price = ({ row }: { row: PlanRow }) => {
  const { price, discountPrice } = row.meal.item
  const reduced = discountPrice !== undefined && Number(price) > 0
  return (
    <p className="money font-semibold">
      {reduced ? (
        <OldPrice price={price} className="mr-2 text-sm font-normal text-muted max-sm:sr-only" />
      ) : null}
      <span className={reduced ? 'text-accent-700' : undefined}>{kwacha(discountPrice ?? price)}</span>
    </p>
  )
}

const MealChoices = ({ row, at, onMeal }: Omit<PlanRowProps, 'onChange' | 'diet'>) => {
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
      <PlanChoice name={`rows.${at}.protein`} label="Protein" options={item.categories} />
      <PlanChoice name={`rows.${at}.side`} label="Side dish" options={sides} />
    </div>
  )
}

type PlanChoiceProps = {
  name: `rows.${number}.${'protein' | 'side'}`
  label: string
  options: readonly string[]
}

/** The protein or the side of a meal; nothing where the meal has none to choose. */
const PlanChoice = ({ name, label, options }: PlanChoiceProps) => {
  const { field, fieldState } = useController<Plan, PlanChoiceProps['name']>({ name })
  return options.length === 0 ? null : (
    <Select
      {...field}
      label={label}
      hideLabel
      placeholder={label}
      options={options.map((value) => ({ value, label: capitalised(value) }))}
      error={fieldState.error?.message}
      className="min-w-0 flex-1"
    />
  )
}

/** What a parent should know of a chosen meal, and what the child's diet asks to be looked at. */
const MealNotes = ({ row, diet }: { row: PlanRow; diet: Diet }) => {
  const { name, categories } = row.meal.item
  const mark = dietMark(diet, { name, proteins: categories, protein: row.protein })
  return (
    <>
      <p className="mt-1 text-xs text-muted">{mealNotes(row).join(' · ')}</p>
      {mark ? <Mark>{mark}</Mark> : null}
    </>
  )
}

/** What a parent should know of a chosen meal: when the child had it, what is in it, how the protein is made. */
const mealNotes = ({ meal: { item }, protein, lastOrderedOn }: PlanRow): string[] => [
  ...(lastOrderedOn ? [`Same as ${dayAndMonth(lastOrderedOn)}`] : []),
  ...(item.allergens.length > 0 ? [`Contains ${item.allergens.join(', ').toLowerCase()}`] : []),
  ...(item.proteinDescriptions[protein] ? [item.proteinDescriptions[protein]] : []),
]
