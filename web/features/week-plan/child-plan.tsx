import { useController } from 'react-hook-form'
import { counted, dayAndMonth, dayName, kwacha, capitalised } from '../../lib/format'
import { own } from '../../lib/own'
import { Mark, OldPrice } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { Icon } from '../../ui/icon'
import { Segmented } from '../../ui/radio-cards'
import { Select } from '../../ui/select'
import {
  isTaken,
  totalOf,
  dishesOf,
  lastWeekOf,
  type PlanChild,
  type PlanRow,
  withMeal,
  type Plan,
  type Way,
} from './suggest-week'

type PlacedRow = { row: PlanRow; at: number }

type ChildPlanProps = {
  child: PlanChild
  isNamed: boolean
  way: Way
  rows: readonly PlacedRow[]
  onWay: (way: Way) => void
  onDish: (itemId: number) => void
  onRow: (at: number, row: PlanRow) => void
  /** All days in or out. */
  onTake: (taken: boolean) => void
}

/** As last week, one dish, or day by day; each day editable. */
export const ChildPlan = ({ child, isNamed, way, rows, onWay, onDish, onRow, onTake }: ChildPlanProps) => {
  const taken = rows.filter(({ row }) => isTaken(row))
  const ways = [
    ...(lastWeekOf(child).length > 0 ? [{ value: 'lastWeek' as const, label: 'As last week' }] : []),
    { value: 'dish' as const, label: 'One dish' },
    { value: 'days' as const, label: 'Day by day' },
  ]
  return (
    <section
      aria-label={child.name}
      className="flex flex-col gap-2 not-first:mt-4 not-first:border-t-2 not-first:border-line not-first:pt-3"
    >
      {isNamed ? (
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          {rows.length > 0 ? (
            <Checkbox
              className="min-h-11"
              checked={taken.length > 0}
              onChange={() => onTake(taken.length === 0)}
              label={<strong className="font-display text-lg font-semibold">{child.name}</strong>}
            />
          ) : (
            <h3 className="font-display text-lg font-semibold">{child.name}</h3>
          )}
          {taken.length > 0 ? (
            <p className="money text-sm text-muted">
              {counted(taken.length, 'meal')} · {kwacha(totalOf(taken.map(({ row }) => row)))}
            </p>
          ) : null}
        </div>
      ) : null}
      {rows.length > 0 ? (
        <>
          <Segmented
            label={`How to fill the week of ${child.name}`}
            segments={ways}
            value={way}
            onChange={onWay}
          />
          {way === 'dish' ? <Dishes child={child} onDish={onDish} /> : null}
          <ul className="divide-y divide-line">
            {rows.map(({ row, at }) => (
              <PlanRowFields
                key={row.day.day}
                row={row}
                at={at}
                child={child}
                onChange={(next) => onRow(at, next)}
                onMeal={(itemId) => onRow(at, withMeal(row, itemId, child.earlier))}
              />
            ))}
          </ul>
        </>
      ) : null}
      <Avoided meals={child.avoided} />
      {child.told.map(({ day, date, words }) => (
        <p key={day} className="text-sm text-muted">
          <strong>{dayName(day)}</strong> {dayAndMonth(date)} · {words}
        </p>
      ))}
    </section>
  )
}

/** Names of meals left out, by reason. */
const Avoided = ({ meals }: { meals: PlanChild['avoided'] }) =>
  [...new Set(meals.map(({ why }) => why))].map((reason) => (
    <p key={reason} className="flex gap-2 text-sm">
      <Icon name="alert" size="sm" className="mt-0.5 text-warning-700" />
      <span className="min-w-0 break-words">
        {`Left out – ${reason}: ${meals
          .filter(({ why }) => why === reason)
          .map(({ name, contains }) => `${name} (${contains})`)
          .join(', ')}`}
      </span>
    </p>
  ))

const maxDishes = 8

const Dishes = ({ child, onDish }: Pick<ChildPlanProps, 'child' | 'onDish'>) => (
  <fieldset className="flex flex-wrap gap-2">
    <legend className="mb-1 text-sm text-muted">The same dish on every day that has it</legend>
    {dishesOf(child, maxDishes).map(({ id, name, on }) => (
      <Button key={id} variant="secondary" className="px-3! text-sm!" onClick={() => onDish(id)}>
        {name} · {counted(on, 'day')}
      </Button>
    ))}
  </fieldset>
)

type PlanRowProps = {
  row: PlanRow
  at: number
  child: PlanChild
  onChange: (row: PlanRow) => void
  onMeal: (itemId: number) => void
}

/** Taken or skipped, with the meal. */
const PlanRowFields = ({ row, at, child, onChange, onMeal }: PlanRowProps) => {
  const { day, date } = row.day
  const { unstatedOf } = child
  const whose = `for ${child.name} on ${dayName(day)} ${dayAndMonth(date)}`
  return (
    <li className="py-2">
      <fieldset>
        <legend className="sr-only">
          {dayName(day)} {dayAndMonth(date)}
        </legend>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <Checkbox
            className="min-h-11"
            aria-label={`${dayName(day)} ${dayAndMonth(date)} for ${child.name}`}
            checked={!row.skipped}
            onChange={() => onChange({ ...row, skipped: !row.skipped, isShort: false })}
            label={
              <>
                <strong>{dayName(day)}</strong>{' '}
                <span className="text-sm text-muted">{dayAndMonth(date)}</span>
              </>
            }
          />
          {row.skipped ? <Skipped row={row} whose={whose} onChange={onChange} /> : <Price row={row} />}
        </div>
        {row.skipped ? null : row.isShort ? (
          <ShortMeal row={row} whose={whose} unstatedOf={unstatedOf} onChange={onChange} />
        ) : (
          <>
            <MealChoices row={row} at={at} whose={whose} onMeal={onMeal} />
            <MealNotes row={row} unstatedOf={unstatedOf} />
          </>
        )}
      </fieldset>
    </li>
  )
}

/** `whose`: "for Chanda on Monday 14 September". */
type OneRow = Pick<PlanRowProps, 'row' | 'onChange'> & { whose: string }
type Unstated = Pick<PlanChild, 'unstatedOf'>

/** With the reason. */
const Skipped = ({ row, whose, onChange }: OneRow) =>
  row.missing === undefined ? (
    <span className="text-sm text-muted">Skipped</span>
  ) : (
    <span className="flex min-w-0 flex-wrap items-center justify-end gap-x-2 text-sm text-muted">
      {row.missing}
      <Button
        variant="ghost"
        aria-label={`Choose a meal ${whose}`}
        className="px-2! text-sm!"
        onClick={() => onChange({ ...row, skipped: false })}
      >
        Choose a meal
      </Button>
    </span>
  )

const ShortMeal = ({ row, whose, unstatedOf, onChange }: OneRow & Unstated) => (
  <div className="flex flex-wrap items-start justify-between gap-x-3">
    <div className="min-w-0 flex-1 basis-48 text-sm">
      <p>{[row.meal.item.name, capitalised(row.protein), row.side].filter(Boolean).join(' · ')}</p>
      <MealNotes row={row} unstatedOf={unstatedOf} />
    </div>
    <Button
      variant="ghost"
      aria-label={`Change ${row.meal.item.name} ${whose}`}
      className="px-2! text-sm!"
      onClick={() => onChange({ ...row, isShort: false })}
    >
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

const MealChoices = ({
  row,
  at,
  whose,
  onMeal,
}: Omit<PlanRowProps, 'onChange' | 'child'> & { whose: string }) => {
  const { meals } = row.day
  const { item, sides } = row.meal
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        label="Meal"
        aria-label={`Meal ${whose}`}
        hideLabel
        options={meals.map(({ item: { id, name } }) => ({ value: String(id), label: name }))}
        value={item.id}
        onChange={(event) => onMeal(Number(event.target.value))}
        className="min-w-full flex-[2] sm:min-w-0"
      />
      <PlanChoice
        name={`rows.${at}.protein`}
        label="Protein"
        of={`of ${item.name} ${whose}`}
        options={item.categories}
      />
      <PlanChoice
        name={`rows.${at}.side`}
        label="Side dish"
        of={`of ${item.name} ${whose}`}
        options={sides}
      />
    </div>
  )
}

type PlanChoiceProps = {
  name: `rows.${number}.${'protein' | 'side'}`
  label: string
  of: string
  options: readonly string[]
}

const PlanChoice = ({ name, label, of, options }: PlanChoiceProps) => {
  const { field } = useController<Plan, PlanChoiceProps['name']>({ name })
  return options.length === 0 ? null : (
    <Select
      {...field}
      label={label}
      aria-label={`${label} ${of}`}
      hideLabel
      placeholder={label}
      options={options.map((value) => ({ value, label: capitalised(value) }))}
      className="min-w-0 flex-1"
    />
  )
}

/** With what to ask the kitchen. */
const MealNotes = ({ row, unstatedOf }: { row: PlanRow } & Unstated) => {
  const mark = unstatedOf(row.meal.item)
  return (
    <>
      <p className="mt-1 text-xs text-muted">{mealNotes(row).join(' · ')}</p>
      {mark ? <Mark>{mark}</Mark> : null}
    </>
  )
}

/** Last ordered, allergens, protein description. */
const mealNotes = ({ meal: { item }, protein, lastOrderedOn }: PlanRow): string[] =>
  [
    ...(lastOrderedOn ? [`Same as ${dayAndMonth(lastOrderedOn)}`] : []),
    ...(item.allergens?.length ? [`Contains ${item.allergens.join(', ').toLowerCase()}`] : []),
    own(item.proteinDescriptions, protein) ?? '',
  ].filter((note) => note !== '')
