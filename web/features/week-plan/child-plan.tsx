import { counted, dayAndMonth, dayName, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { Icon } from '../../ui/icon'
import { Segmented } from '../../ui/segmented'
import { PlanRowFields } from './plan-row'
import { isTaken, totalOf } from './plan-rows'
import { dishesOf, lastWeekOf, type PlanChild, type PlanRow, withMeal } from './suggest-week'

/** How the week of a child is filled. */
export type Way = 'lastWeek' | 'dish' | 'days'

/** A row under its place in the whole plan, from 0. */
type PlacedRow = { row: PlanRow; at: number }

type ChildPlanProps = {
  child: PlanChild
  /** Said where there is more than one. */
  isNamed: boolean
  way: Way
  rows: readonly PlacedRow[]
  onWay: (way: Way) => void
  onDish: (itemId: number) => void
  onRow: (at: number, row: PlanRow) => void
  /** All days of the child in or out. */
  onTake: (taken: boolean) => void
}

/** The week of one child: filled as last week, with one dish or day by day, and each day to be seen and changed. */
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
                diet={child.diet}
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

/** What was left out for what is in it, by name. */
const Avoided = ({ meals }: { meals: PlanChild['avoided'] }) =>
  meals.length === 0 ? null : (
    <p className="flex gap-2 text-sm">
      <Icon name="alert" size="sm" className="mt-0.5 text-warning-700" />
      <span className="min-w-0 break-words">
        {`Left out – ${meals[0]!.why}: ${meals.map(({ name, contains }) => `${name} (${contains})`).join(', ')}`}
      </span>
    </p>
  )

const mostDishes = 8

const Dishes = ({ child, onDish }: Pick<ChildPlanProps, 'child' | 'onDish'>) => (
  <fieldset className="flex flex-wrap gap-2">
    <legend className="mb-1 text-sm text-muted">The same dish on every day that has it</legend>
    {dishesOf(child, mostDishes).map(({ id, name, on }) => (
      <Button key={id} variant="secondary" className="px-3! text-sm!" onClick={() => onDish(id)}>
        {name} · {counted(on, 'day')}
      </Button>
    ))}
  </fieldset>
)
