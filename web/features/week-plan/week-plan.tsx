import { useId, useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { counted, kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FillBar } from './fill-bar'
import { PlanRowFields, fieldId } from './plan-row'
import { needsProtein, needsSide, totalOf } from './plan-rows'
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
  const form = useId()
  const [rows, setRows] = useState(() => suggestWeek(days, earlier))
  const [tried, setTried] = useState(false)
  const chosen = rows.filter(({ skipped }) => !skipped)
  const change = (row: PlanRow) => setRows(rows.map((one) => (one.day === row.day ? row : one)))
  const submit = () => {
    const missing = firstMissing(form, chosen)
    setTried(true)
    if (missing) document.getElementById(missing)?.focus()
    else onAdd(chosen.map(planned))
  }
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
          <Button type="submit" form={form} disabled={chosen.length === 0}>
            Add {chosen.length > 0 ? counted(chosen.length, 'meal') : 'meals'} to the cart
          </Button>
        </div>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FillBar rows={rows} onFill={setRows} />
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <PlanRowFields
              key={row.day.day}
              row={row}
              form={form}
              tried={tried}
              onChange={change}
              onMeal={(itemId) => change(withMeal(row, itemId, earlier))}
            />
          ))}
        </ul>
      </form>
    </Dialog>
  )
}

const introduction = (rows: readonly PlanRow[], name: string) =>
  rows.some(({ hadOn }) => hadOn)
    ? `Chosen as ${name} had it before. Change or skip what you like.`
    : 'Choose what is eaten, or skip a day.'

const firstMissing = (form: string, rows: readonly PlanRow[]): string | undefined =>
  rows.flatMap((row) => [
    ...(needsProtein(row) ? [fieldId(form, row, 'protein')] : []),
    ...(needsSide(row) ? [fieldId(form, row, 'side')] : []),
  ])[0]

const planned = ({ day, meal, protein, side }: PlanRow): PlannedMeal => ({
  day: day.day,
  item: meal.item,
  category: protein || null,
  sideDish: side || null,
})
