import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormContext, useWatch, useController } from 'react-hook-form'
import * as z from 'zod/mini'
import { type BlockedDay, createCycle } from '#contracts/cycles'
import { longDay, counted } from '../../../lib/format'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { TextField, FieldError } from '../../../ui/field'
import { Notice } from '../../../ui/notice'
import { QueryResult } from '../../../ui/query-result'
import { RadioCards } from '../../../ui/radio-cards'
import { planQuery } from '../api'
import {
  comingMondays,
  cycleDate,
  DayBox,
  lastDay,
  Facts,
  overlapText,
  isDate,
  mondayOf,
} from '../cycle-text'

/** Other dates become the Monday of their week, and this is said. */
export const StartDateStep = () => {
  const [today] = useState(() => schoolDate(schoolNow()))
  const {
    control,
    setValue,
    formState: { errors },
  } = useFormContext<NewCycle>()
  const picked = useWatch({ control, name: 'picked' })
  const startDate = startOf(picked)
  const isMonday = picked === startDate
  const pick = (date: string) => {
    setValue('picked', date, { shouldValidate: errors.picked !== undefined })
    if (startOf(date) !== startDate) setValue('blockedDays', [])
  }
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Start date"
        type="date"
        value={startDate || picked}
        onChange={(event) => pick(event.target.value)}
        hint="New cycles must start on a Monday."
        error={errors.picked?.message}
      />
      <div className="flex flex-wrap gap-2">
        {comingMondays(today, 3).map((monday) => (
          <Button
            key={monday}
            size="sm"
            variant="secondary"
            aria-pressed={monday === startDate}
            onClick={() => pick(monday)}
          >
            {longDay(monday)}
          </Button>
        ))}
      </div>
      <div aria-live="polite">
        {startDate && !isMonday ? <Snapped from={picked} to={startDate} /> : null}
        {startDate && isMonday ? (
          <p className="font-semibold text-brand-800">{`The cycle starts on ${longDay(startDate)}.`}</p>
        ) : null}
      </div>
    </div>
  )
}

const Snapped = ({ from, to }: { from: string; to: string }) => (
  <Notice tone="warning" title="Cycle must start on a Monday">
    <p>Please select a Monday as the start date.</p>
    <p className="text-ink">
      {`${longDay(from)} is not one, so the Monday of that week was taken: `}
      <strong>{longDay(to)}</strong>.
    </p>
  </Notice>
)

const lengths = [
  { value: 4, label: '4 weeks', hint: '20 school days' },
  { value: 6, label: '6 weeks', hint: '30 school days' },
] as const

export const LengthStep = () => {
  const { control, setValue, getValues, formState } = useFormContext<NewCycle>()
  const choose = (weeks: 4 | 6) => {
    setValue('cycleLength', weeks, { shouldValidate: true })
    setValue('blockedDays', withinWeeks(getValues('blockedDays') ?? [], weeks))
  }
  return (
    <div className="flex flex-col gap-2">
      <RadioCards<4 | 6>
        label="How long is the cycle?"
        options={lengths}
        value={useWatch({ control, name: 'cycleLength' }) ?? null}
        onChange={choose}
      />
      <FieldError id="cycle-length-error" message={formState.errors.cycleLength?.message} />
    </div>
  )
}

const days = [1, 2, 3, 4, 5]

/** Optional, e.g. holidays. */
export const BlockedDaysStep = () => {
  const [cycleLength, picked] = useWatch<NewCycle, ['cycleLength', 'picked']>({
    name: ['cycleLength', 'picked'],
  })
  const {
    field: { value: blocked = [], onChange },
  } = useController<NewCycle, 'blockedDays'>({ name: 'blockedDays' })
  const startDate = startOf(picked)
  const plan = useQuery(planQuery({ startDate, cycleLength, blockedDays: [] }))
  const closed = plan.data?.closed ?? []
  const weeks = Array.from({ length: cycleLength }, (_, index) => index + 1)
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-semibold">Blocked days (optional)</legend>
      <p className="text-sm text-muted">
        Tick the days on which school is closed. Nobody can order for them until they are opened again under
        Order Cycles.
      </p>
      {weeks.map((week) => (
        <div key={week}>
          <p className="mb-1 text-sm font-semibold text-sand-800">{`Week ${week}`}</p>
          <div className="grid grid-cols-5 gap-2">
            {days.map((day) => (
              <DayBox
                key={day}
                week={week}
                day={day}
                date={cycleDate(startDate, week, day)}
                checked={
                  isBlocked(blocked, { week, day }) || closed.includes(cycleDate(startDate, week, day))
                }
                disabled={closed.includes(cycleDate(startDate, week, day))}
                onToggle={() => onChange(withDay(blocked, { week, day }))}
              />
            ))}
          </div>
        </div>
      ))}
      <p className="text-sm text-muted">
        {closed.length > 0 ? `${counted(closed.length, 'day is', 'days are')} closed already.` : null}
      </p>
      <p aria-live="polite" className="text-sm font-semibold">
        {blocked.length === 0 ? 'No blocked days' : counted(blocked.length, 'blocked day')}
      </p>
    </fieldset>
  )
}

export const ReviewStep = () => {
  const { cycleLength, picked, blockedDays = [] } = useFormContext<NewCycle>().getValues()
  const startDate = startOf(picked)
  const preview = useQuery(planQuery({ startDate, cycleLength, blockedDays }))
  return (
    <div className="flex flex-col gap-5">
      <Facts
        facts={[
          ['Length', `${cycleLength} weeks`],
          ['Start date', longDay(startDate)],
          ['End date', longDay(lastDay(startDate, cycleLength))],
          ['Blocked days', blockedDays.length === 0 ? 'None' : String(blockedDays.length)],
        ]}
      />
      {blockedDays.length > 0 ? (
        <ul className="flex flex-col gap-1 text-sm">
          {blockedDays.map(({ week, day }) => (
            <li key={`${week}.${day}`}>{`Week ${week}: ${longDay(cycleDate(startDate, week, day))}`}</li>
          ))}
        </ul>
      ) : null}
      <QueryResult query={preview} failure="Failed to check orders">
        {({ overlap }) =>
          overlap.orders === 0 ? (
            <p className="text-sm text-muted">No orders of other cycles are on these dates.</p>
          ) : (
            <Notice tone="warning">
              <p>{overlapText(overlap)}</p>
            </Notice>
          )
        }
      </QueryResult>
      <p className="rounded-md bg-brand-50 p-3 text-sm text-brand-800">
        Creating the cycle makes it active at once: families can order for all its open days.
      </p>
    </div>
  )
}

/** administrator.md section 4. */
export const wizardSteps = ['cycle-length', 'start-date', 'blocked-days', 'review'] as const
export type WizardStep = (typeof wizardSteps)[number]

// A year with missing digits reads as long past.
const isWhole = (date: string): boolean => isDate(date) && date >= '2000'

/** Empty while `picked` is no date. */
export const startOf = (picked: string): string => (isWhole(picked) ? mondayOf(picked) : '')

/** `picked` is the raw start date, perhaps no Monday. */
export const newCycle = z.object({
  ...z.pick(createCycle.body, { cycleLength: true, blockedDays: true }).shape,
  picked: z.string().check(z.refine(isWhole, 'Please select a Monday as the start date.')),
})
type NewCycle = z.input<typeof newCycle>

/** A step ends when its field is valid. */
export const fieldOf = {
  'cycle-length': 'cycleLength',
  'start-date': 'picked',
  'blocked-days': 'blockedDays',
} as const satisfies Partial<Record<WizardStep, keyof NewCycle>>

const sameDay = (a: BlockedDay) => (b: BlockedDay) => a.week === b.week && a.day === b.day
const isBlocked = (days: readonly BlockedDay[], day: BlockedDay): boolean => days.some(sameDay(day))

/** Toggles a day, in calendar order. */
export const withDay = (days: readonly BlockedDay[], day: BlockedDay): BlockedDay[] => {
  const rest = days.filter((other) => !sameDay(day)(other))
  const next = rest.length < days.length ? rest : [...days, day]
  return next.toSorted((a, b) => a.week - b.week || a.day - b.day)
}

/** The blocked days that a cycle of so many weeks has. */
export const withinWeeks = (days: readonly BlockedDay[], weeks: number): BlockedDay[] =>
  days.filter(({ week }) => week <= weeks)
