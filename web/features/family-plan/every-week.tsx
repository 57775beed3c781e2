import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { savePlan, type PlanAt, type PlanFields } from '#contracts/plan'
import { messageOf } from '../../lib/call'
import { endpointMutation } from '../../lib/endpoint-query'
import { clockTime, dayName } from '../../lib/format'
import { toast } from '../../lib/toast'
import { typedNumber } from '../../lib/typed-number'
import { waysToPayQuery } from '../../queries/payments'
import { Button } from '../../ui/button'
import { DialogFoot } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { Notice } from '../../ui/notice'
import { RadioCards } from '../../ui/radio-cards'
import { Select } from '../../ui/select'
import { hourText, keyOf, payText, waysOf } from './plan-words'

type EveryWeekProps = {
  wanted: PlanFields['children']
  namesOf: ReadonlyMap<number, string>
  /** The plan as it is, where there is one. */
  saved: Omit<PlanFields, 'children'> | null
  version: string
  onSaved: () => void
}

const sunday17: PlanAt = { day: 0, hour: 17, minute: 0 }

/** What is ordered each week, when, and how it is paid. */
export const EveryWeek = ({ wanted, namesOf, saved, version, onSaved }: EveryWeekProps) => {
  const saving = useMutation(savingPlan)
  const ways = waysOf(useQuery(waysToPayQuery).data)
  const [at, setAt] = useState(saved?.at ?? sunday17)
  const [way, setWay] = useState(saved ? keyOf(saved.pay) : null)
  const [limit, setLimit] = useState(String(saved?.weekLimit ?? ''))
  const [isTried, setTried] = useState(false)
  const weekLimit = typedNumber(limit)
  const isAmount = weekLimit === null || weekLimit >= 0
  const pay = ways.find((one) => keyOf(one) === way) ?? ways[0]
  const send = async () => {
    setTried(true)
    if (!isAmount) return
    const body = { children: wanted, at, pay: pay!, weekLimit, version }
    await saving.mutateAsync({ body })
    toast({ title: 'Your plan is saved', text: `Next week is ordered on ${hourText(at)}.` })
    onSaved()
  }
  const save = (
    <Button
      className="self-start max-sm:w-full"
      busy={saving.isPending}
      busyLabel="Saving…"
      disabled={!pay}
      onClick={() => void send().catch(() => undefined)}
    >
      Save the plan
    </Button>
  )
  return (
    <section
      aria-label="Order this every week"
      className="mt-4 flex flex-col gap-3 border-t border-line pt-3"
    >
      <h3 className="font-display text-lg font-semibold">Order this every week</h3>
      <ul className="text-sm">
        {wanted.map(({ studentId, days }) => (
          <li key={studentId}>
            <strong>{namesOf.get(studentId)}</strong> {days.map(({ day }) => dayName(day)).join(', ')}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Select
          label="Order on"
          options={days.map((day) => ({ value: String(day), label: dayName(day === 0 ? 7 : day) }))}
          value={at.day}
          onChange={(event) => setAt({ ...at, day: Number(event.target.value) })}
          className="flex-1"
        />
        <Select
          label="At"
          options={hoursWith(at).map(({ hour, minute }) => ({
            value: `${hour}:${minute}`,
            label: clockTime(hour, minute),
          }))}
          value={`${at.hour}:${at.minute}`}
          onChange={(event) => {
            const [hour = 0, minute = 0] = event.target.value.split(':').map(Number)
            setAt({ ...at, hour, minute })
          }}
          className="flex-1"
        />
      </div>
      <RadioCards
        label="How do you want to pay?"
        options={ways.map((one) => ({ value: keyOf(one), label: payText(one) }))}
        value={pay ? keyOf(pay) : null}
        onChange={setWay}
      />
      {pay?.by === 'prompt' ? (
        <p className="text-sm text-muted">We ask for your PIN once a week; without it nothing is ordered.</p>
      ) : null}
      <TextField
        label="At most a week (K)"
        hint="Empty for no limit"
        inputMode="decimal"
        autoComplete="off"
        value={limit}
        onChange={(event) => setLimit(event.target.value)}
        error={isTried && !isAmount ? 'Please enter an amount in kwacha' : undefined}
      />
      {saving.error ? (
        <Notice tone="danger">{messageOf(saving.error, 'Your plan could not be saved')}</Notice>
      ) : null}
      {saved ? <DialogFoot>{save}</DialogFoot> : save}
    </section>
  )
}

/** From Thursday on, as far as orders for Monday are open. */
const days = [4, 5, 6, 0, 1]

const hoursWith = (at: PlanAt): Pick<PlanAt, 'hour' | 'minute'>[] => {
  const hours = Array.from({ length: 16 }, (_, index) => ({ hour: index + 6, minute: 0 }))
  const isAmong = hours.some(({ hour, minute }) => hour === at.hour && minute === at.minute)
  return isAmong ? hours : [at, ...hours]
}

const savingPlan = endpointMutation(savePlan, 'ordering')
