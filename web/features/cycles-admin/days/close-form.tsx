import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type { closeDays, previewClosure } from '#contracts/closures'
import { counted, kwacha, wholeNumber } from '../../../lib/format'
import { FieldError } from '../../../ui/field'
import { FormField } from '../../../ui/form'
import { QueryResult } from '../../../ui/query-result'
import { RadioCards } from '../../../ui/radio-cards'
import { closingQuery } from '../api'
import { DayBox } from '../day-box'
import { Facts } from '../facts'
import { type CycleDay, isClosable } from './day-words'

type Closing = BodyOf<typeof closeDays>

type CloseFormProps = { cycleId: number; days: CycleDay[]; date: string }

/** What closing days would do, why they are closed, and how the money goes back. */
export const CloseForm = ({ cycleId, days, date }: CloseFormProps) => {
  const { setFocus, formState } = useFormContext<Closing>()
  const { field: dates, fieldState } = useController<Closing, 'dates'>({ name: 'dates' })
  const { field: remedy } = useController<Closing, 'remedy'>({ name: 'remedy' })
  const asked = closingQuery(cycleId, dates.value)
  // Once they are being closed there is nothing to ask about these days any more.
  const preview = useQuery({ ...asked, enabled: asked.enabled && !formState.isSubmitting })
  useEffect(() => setFocus('reason'), [setFocus])
  return (
    <>
      <div aria-live="polite">
        <QueryResult query={preview} failure="Failed to check orders">
          {(would) => <Preview would={would} />}
        </QueryResult>
      </div>
      <FormField name="reason" label="Reason, as families read it" rows={2} maxLength={200} />
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

const Preview = ({ would }: { would: ReplyOf<typeof previewClosure> }) => (
  <div className="flex flex-col gap-3">
    <p className="font-semibold">{would.orders === 0 ? 'No orders are cancelled.' : cancelledWords(would)}</p>
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

const cancelledWords = ({ orders, students }: { orders: number; students: number }) =>
  `${counted(orders, 'order')} of ${counted(students, 'child', 'children')} ${orders === 1 ? 'is' : 'are'} cancelled and every family is told.`

const remedies = [
  { value: 'refund', label: 'Refund', hint: 'It becomes due under Refund Management' },
  { value: 'credit', label: 'Family credit', hint: 'The family pays its next meals with it' },
] as const

type DayChoiceProps = {
  days: CycleDay[]
  /** The day whose sheet is open, which is always among the chosen. */
  first: string
  chosen: string[]
  onChange: (dates: string[]) => void
}

const DayChoice = ({ days, first, chosen, onChange }: DayChoiceProps) => {
  const toggle = (date: string) =>
    onChange(chosen.includes(date) ? chosen.filter((one) => one !== date) : [...chosen, date].toSorted())
  return (
    <div className="grid grid-cols-5 gap-1.5 pt-1">
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
