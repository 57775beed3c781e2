import { type ReactNode, useId, useState } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import type { MenuItem } from '#contracts/catalogue'
import { counted, dayAndMonth, dayName, kwacha, capitalised } from '../../lib/format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChildPlan } from './child-plan'
import {
  isTaken,
  needsProtein,
  needsSide,
  totalOf,
  type Plan,
  type Way,
  filled,
  firstWay,
  dishForAllDays,
  type PlanChild,
  type PlanRow,
  missingProteins,
  withProtein,
  withSides,
} from './suggest-week'

/** By child and day number. */
export type PlannedMeal = {
  childId: number
  day: number
  item: MenuItem
  category: string | null
  sideDish: string | null
}

type WeekPlanProps = {
  title: string
  family: readonly PlanChild[]
  /** Closed days with reasons. */
  closed: readonly { day: number; date: string; words: string }[]
  onAdd: (meals: PlannedMeal[]) => void
  /** What else may be done with these meals, once nothing is missing. */
  renderFurther?: ((meals: PlannedMeal[]) => ReactNode) | undefined
  onClose: () => void
}

/** Starts as last week where known; everything is editable before adding. */
export const WeekPlan = ({ title, family, closed, onAdd, renderFurther, onClose }: WeekPlanProps) => {
  const id = useId()
  const plan = usePlan(family)
  const { form, rows, change } = plan
  const chosen = rows.filter(isTaken)
  const isOpen = rows.some((row) => needsProtein(row) || needsSide(row))
  const add = form.handleSubmit((whole) => onAdd(whole.rows.filter(isTaken).map(planned)))
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      actions={
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <FillBar id={`${id}-open`} rows={rows} onFill={change} />
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <p className="money text-lg font-semibold" aria-live="polite">
              <span className="sr-only">Total </span>
              {kwacha(totalOf(rows))}
            </p>
            <Button
              type="submit"
              form={id}
              disabled={chosen.length === 0 || isOpen}
              aria-describedby={isOpen ? `${id}-open` : undefined}
            >
              Add {chosen.length > 0 ? counted(chosen.length, 'meal') : 'meals'} to the cart
            </Button>
          </div>
        </div>
      }
    >
      <Closed days={closed} />
      <form id={id} noValidate onSubmit={add}>
        <FormProvider {...form}>
          {family.map((child) => (
            <ChildPlan
              key={child.id}
              child={child}
              isNamed={family.length > 1}
              way={plan.wayOf(child)}
              rows={rows.flatMap((row, at) => (row.childId === child.id ? [{ row, at }] : []))}
              onWay={(way) => plan.fill(child, way)}
              onDish={(itemId) => plan.refill(child, dishForAllDays(child, itemId))}
              onRow={(at, row) => change(rows.with(at, row))}
              onTake={(taken) => plan.take(child, taken)}
            />
          ))}
        </FormProvider>
      </form>
      {chosen.length > 0 && !isOpen ? renderFurther?.(chosen.map(planned)) : null}
    </Dialog>
  )
}

/** Rows and way of each child. */
const usePlan = (family: readonly PlanChild[]) => {
  const [ways, setWays] = useState<Readonly<Record<number, Way>>>(() =>
    Object.fromEntries(family.map((child) => [child.id, firstWay(child)])),
  )
  const wayOf = ({ id }: PlanChild): Way => ways[id] ?? 'days'
  const form = useForm<Plan>({
    defaultValues: { rows: family.flatMap((child) => filled(child, firstWay(child), [])) },
  })
  const rows = useWatch({ control: form.control, name: 'rows' })
  const change = (next: PlanRow[]) => form.setValue('rows', next)
  const of = ({ id }: PlanChild) => rows.filter(({ childId }) => childId === id)
  const refill = (child: PlanChild, own: readonly PlanRow[]) =>
    change(family.flatMap((one) => (one.id === child.id ? own : of(one))))
  return {
    form,
    rows,
    change,
    wayOf,
    refill,
    fill: (child: PlanChild, way: Way) => {
      setWays({ ...ways, [child.id]: way })
      refill(child, filled(child, way, of(child)))
    },
    take: (child: PlanChild, taken: boolean) =>
      refill(
        child,
        taken ? filled(child, wayOf(child), []) : of(child).map((row) => ({ ...row, skipped: true })),
      ),
  }
}

const Closed = ({ days }: { days: WeekPlanProps['closed'] }) => {
  const reasons = [...new Set(days.map(({ words }) => words))]
  return reasons.map((reason) => (
    <p key={reason} className="mb-2 text-sm text-muted">
      <strong>
        {days
          .filter(({ words }) => words === reason)
          .map(({ day, date }) => `${dayName(day)} ${dayAndMonth(date)}`)
          .join(', ')}
      </strong>{' '}
      · {reason}
    </p>
  ))
}

const planned = ({ childId, day, meal, protein, side }: PlanRow): PlannedMeal => ({
  childId,
  day: day.day,
  item: meal.item,
  category: protein || null,
  sideDish: side || null,
})

type FillBarProps = {
  /** Id of the words that say what is missing. */
  id: string
  rows: readonly PlanRow[]
  onFill: (rows: PlanRow[]) => void
}

const FillBar = ({ id, rows, onFill }: FillBarProps) => {
  const proteins = rows.filter(needsProtein).length
  const sides = rows.filter(needsSide).length
  if (proteins === 0 && sides === 0) return null
  const words = [
    proteins > 0 ? counted(proteins, 'protein') : null,
    sides > 0 ? counted(sides, 'side dish', 'side dishes') : null,
  ].filter(Boolean)
  return (
    <fieldset className="w-full rounded-md bg-accent-50 px-3 py-2">
      <legend id={id} className="float-left mb-1 w-full text-sm font-semibold text-accent-800">
        Still to choose: {words.join(', ')}
      </legend>
      <div className="clear-both flex flex-wrap gap-2">
        {missingProteins(rows).map((protein) => (
          <Button
            key={protein}
            variant="secondary"
            className="px-3! text-sm!"
            onClick={() => onFill(withProtein(rows, protein))}
          >
            {capitalised(protein)}
          </Button>
        ))}
        {sides > 0 ? (
          <Button variant="secondary" className="px-3! text-sm!" onClick={() => onFill(withSides(rows))}>
            Any side dish
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}
