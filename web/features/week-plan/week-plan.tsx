import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import type { MenuItem } from '#contracts/catalogue'
import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FillBar } from './fill-bar'
import { PlanRowFields } from './plan-row'
import { finishedPlan, totalOf } from './plan-rows'
import { type EarlierMeal, type PlanDay, type PlanRow, suggestWeek, withMeal } from './suggest-week'

/** A meal as it goes into the cart, under the number of its day. */
export type PlannedMeal = { day: number; item: MenuItem; category: string | null; sideDish: string | null }

type WeekPlanProps = {
  title: string
  /** Whose lunch it is. */
  name: string
  days: readonly PlanDay[]
  /** What this child was ordered before. */
  earlier: readonly EarlierMeal[]
  onAdd: (meals: PlannedMeal[]) => void
  onClose: () => void
}

/** A week of one child at once: a suggestion for each open day, all of it to be seen and changed before it is added. */
export const WeekPlan = ({ title, name, days, earlier, onAdd, onClose }: WeekPlanProps) => {
  const id = useId()
  const form = useForm({
    resolver: zodResolver(finishedPlan),
    defaultValues: { rows: suggestWeek(days, earlier) },
  })
  const rows = useWatch({ control: form.control, name: 'rows' })
  const chosen = rows.filter(({ skipped }) => !skipped)
  const change = (next: PlanRow[]) =>
    form.setValue('rows', next, { shouldValidate: form.formState.isSubmitted })
  const add = form.handleSubmit((plan) => onAdd(plan.rows.filter(({ skipped }) => !skipped).map(planned)))
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      description={introduction(rows, name)}
      actions={
        <div className="flex flex-1 items-center justify-between gap-3">
          <p className="money text-lg font-semibold" aria-live="polite">
            <span className="sr-only">Total </span>
            {kwacha(totalOf(rows))}
          </p>
          <Button type="submit" form={id} disabled={chosen.length === 0}>
            Add {chosen.length > 0 ? counted(chosen.length, 'meal') : 'meals'} to the cart
          </Button>
        </div>
      }
    >
      <form id={id} noValidate onSubmit={add}>
        <FillBar rows={rows} onFill={change} />
        <FormProvider {...form}>
          <ul className="divide-y divide-line">
            {rows.map((row, at) => (
              <PlanRowFields
                key={row.day.day}
                row={row}
                at={at}
                onChange={(next) => change(rows.with(at, next))}
                onMeal={(itemId) => change(rows.with(at, withMeal(row, itemId, earlier)))}
              />
            ))}
          </ul>
        </FormProvider>
      </form>
    </Dialog>
  )
}

const introduction = (rows: readonly PlanRow[], name: string) =>
  rows.some(({ lastOrderedOn }) => lastOrderedOn)
    ? `Chosen as ${name} had it before. Change or skip what you like.`
    : 'Choose what is eaten, or skip a day.'

const planned = ({ day, meal, protein, side }: PlanRow): PlannedMeal => ({
  day: day.day,
  item: meal.item,
  category: protein || null,
  sideDish: side || null,
})
