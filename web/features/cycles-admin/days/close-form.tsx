import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useController, useFormContext, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { closeDays, type previewClosure } from '#contracts/closures'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { grades } from '#contracts/identity'
import { counted, gradeLabel, kwacha, wholeNumber } from '../../../lib/format'
import { classesQuery } from '../../../queries/identity'
import { ChipGroup } from '../../../ui/chip-group'
import { FieldError } from '../../../ui/field'
import { FormField } from '../../../ui/form'
import { QueryResult } from '../../../ui/query-result'
import { RadioCards } from '../../../ui/radio-cards'
import { closingQuery } from '../api'
import { Facts, type CycleDay, isClosable, DayBox } from '../cycle-text'

/** `who`: whether the grades and classes count. */
export const closingSchema = z.extend(closeDays.body, { who: z.enum(['everybody', 'some']) }).check(
  z.refine(
    ({ who, grades: some = [], classes = [] }) => who === 'everybody' || some.length + classes.length > 0,
    {
      message: 'Choose at least one grade or class',
      path: ['grades'],
    },
  ),
)
type Closing = z.infer<typeof closingSchema>

/** What is sent: nobody's grade or class where everybody has no lunch. */
export const closingOf = ({ who, grades: some, classes, ...closing }: Closing): BodyOf<typeof closeDays> =>
  who === 'some' ? { ...closing, grades: some, classes } : closing

type CloseFormProps = { cycleId: number; days: CycleDay[]; date: string }

/** What closing days would do, why they are closed, and how the money goes back. */
export const CloseForm = ({ cycleId, days, date }: CloseFormProps) => {
  const { setFocus, formState } = useFormContext<Closing>()
  const { field: dates, fieldState } = useController<Closing, 'dates'>({ name: 'dates' })
  const { field: remedy } = useController<Closing, 'remedy'>({ name: 'remedy' })
  const [who, some, classes] = useWatch<Closing, ['who', 'grades', 'classes']>({
    name: ['who', 'grades', 'classes'],
  })
  const whom = who === 'some' ? { grades: some ?? [], classes: classes ?? [] } : null
  const asked = closingQuery(cycleId, dates.value, whom)
  // Closing makes the preview obsolete.
  const preview = useQuery({ ...asked, enabled: asked.enabled && !formState.isSubmitting })
  useEffect(() => setFocus('reason'), [setFocus])
  return (
    <>
      <WhomChoice />
      <div aria-live="polite">
        {asked.enabled ? (
          <QueryResult query={preview} failure="Failed to check orders">
            {(would) => <Preview would={would} />}
          </QueryResult>
        ) : null}
      </div>
      <FormField
        name="reason"
        label="Reason, as families read it"
        hint="Do not name a child"
        rows={2}
        maxLength={200}
      />
      <RadioCards
        label="How the money goes back"
        options={remedies}
        value={remedy.value}
        onChange={remedy.onChange}
      />
      <details>
        <summary className="min-h-11 cursor-pointer py-2 font-semibold">Close more days at once</summary>
        <DayChoice days={days} first={date} chosen={dates.value} onChange={dates.onChange} />
      </details>
      <FieldError id="close-dates-error" message={fieldState.error?.message} />
    </>
  )
}

const everybodyOrSome = [
  { value: 'everybody', label: 'Everybody', hint: 'The whole school has no lunch' },
  { value: 'some', label: 'Some grades or classes', hint: 'The day stays open for the others' },
] as const

/** Whose lunch is stopped: a child matches by its grade or its class. */
const WhomChoice = () => {
  const { field: who } = useController<Closing, 'who'>({ name: 'who' })
  const { field, fieldState } = useController<Closing, 'grades'>({ name: 'grades' })
  const { value: some = [], onChange, ref } = field
  const { field: classes } = useController<Closing, 'classes'>({ name: 'classes' })
  const known = useQuery(classesQuery)
  return (
    <div className="flex flex-col gap-4">
      <RadioCards
        label="Who has no lunch"
        options={everybodyOrSome}
        value={who.value}
        onChange={who.onChange}
      />
      {who.value === 'some' ? (
        <>
          <ChipGroup
            label="Grades"
            options={grades.map((value) => ({
              value,
              label: value === 'teacher' ? 'Staff' : gradeLabel(value),
            }))}
            chosen={some}
            error={fieldState.error?.message}
            ref={ref}
            onToggle={(grade) => onChange(toggled(some, grade))}
          />
          <QueryResult query={known} failure="Failed to fetch classes">
            {({ data }) =>
              data.length > 0 ? (
                <ChipGroup
                  label="Classes"
                  options={data.map((value) => ({ value, label: value }))}
                  chosen={classes.value ?? []}
                  onToggle={(name) => classes.onChange(toggled(classes.value ?? [], name))}
                />
              ) : null
            }
          </QueryResult>
        </>
      ) : null}
    </div>
  )
}

const toggled = (chosen: readonly string[], one: string): string[] =>
  chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]

const Preview = ({ would }: { would: ReplyOf<typeof previewClosure> }) => (
  <div className="flex flex-col gap-3">
    <p className="font-semibold">{would.orders === 0 ? 'No orders are cancelled.' : cancelledText(would)}</p>
    <Facts
      short
      facts={[
        ['Families', wholeNumber(would.families)],
        ['Unpaid orders', wholeNumber(would.unpaid)],
        ['Paid amount', kwacha(would.paidAmount)],
        ['Payments under way', wholeNumber(would.paymentsUnderWay)],
      ]}
    />
    {would.completed > 0 ? (
      <p className="text-sm text-muted">
        {`${counted(would.completed, 'completed order stays', 'completed orders stay')} as before.`}
      </p>
    ) : null}
  </div>
)

const cancelledText = ({ orders, students }: { orders: number; students: number }) =>
  `${counted(orders, 'order')} of ${counted(students, 'child', 'children')} ${orders === 1 ? 'is' : 'are'} cancelled and every family is told.`

const remedies = [
  { value: 'refund', label: 'Refund', hint: 'It becomes due under Refund Management' },
  { value: 'credit', label: 'Family credit', hint: 'The family pays its next meals with it' },
] as const

type DayChoiceProps = {
  days: CycleDay[]
  /** The day of the open sheet, always chosen. */
  first: string
  chosen: string[]
  onChange: (dates: string[]) => void
}

const DayChoice = ({ days, first, chosen, onChange }: DayChoiceProps) => {
  const toggle = (date: string) => onChange(toggled(chosen, date).toSorted())
  return (
    <div className="grid grid-cols-5 gap-2 pt-1">
      {days.map(({ date, ...day }) => (
        <DayBox
          key={date}
          week={day.week}
          day={day.day}
          date={date}
          checked={chosen.includes(date)}
          disabled={date === first || !isClosable({ date, ...day })}
          onToggle={() => toggle(date)}
        />
      ))}
    </div>
  )
}
