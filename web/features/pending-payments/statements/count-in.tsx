import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CallError } from '../../../lib/call'
import { adminToast, notifyFailure } from '../../../lib/toast'
import { typedNumber } from '../../../lib/typed-number'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { TextField } from '../../../ui/field'
import { countInRow } from './api'

/** Makes a row that does not count an open payment, and asks for what the row does not say. */
export const CountIn = ({ id, row }: { id: number; row: number }) => {
  const counting = useMutation(countInRow)
  const [done, setDone] = useState(false)
  const [missing, setMissing] = useState<Record<string, string> | null>(null)
  const send = async (typed: Typed) => {
    try {
      await counting.mutateAsync({ params: { id }, body: { row, ...typed } })
      setMissing(null)
      setDone(true)
      adminToast({ title: 'Payment', text: `Row ${row} is an open payment now` })
    } catch (error) {
      const isAsking = error instanceof CallError && error.code === 'facts_missing'
      if (isAsking) setMissing(error.fields)
      else notifyFailure(error, 'Failed to count the row in', 'Not Counted')
    }
  }
  if (done) return <span className="font-semibold">Counted in</span>
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        busy={counting.isPending}
        aria-label={`This is a payment: row ${row}`}
        onClick={() => void send({})}
      >
        This is a payment
      </Button>
      {missing ? (
        <Facts
          row={row}
          missing={missing}
          busy={counting.isPending}
          onSend={(typed) => void send(typed)}
          onClose={() => setMissing(null)}
        />
      ) : null}
    </>
  )
}

type Typed = { amount?: number; at?: string }

type FactsProps = {
  row: number
  missing: Record<string, string>
  busy: boolean
  onSend: (typed: Typed) => void
  onClose: () => void
}

const Facts = ({ row, missing, busy, onSend, onClose }: FactsProps) => {
  const [amount, setAmount] = useState('')
  const [at, setAt] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const asks = (field: string) => missing[field] !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = typedNumber(amount)
    if (typed !== null && !(typed > 0)) return setProblem('Type an amount such as 45.50')
    setProblem(undefined)
    onSend({ ...(typed !== null && { amount: typed }), ...(at !== '' && { at }) })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`What does row ${row} say?`}
      description="The row does not say all that a payment needs."
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        {asks('amount') || amount !== '' ? (
          <TextField
            label="Amount in kwacha"
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            error={problem ?? missing['amount']}
            onChange={(event) => setAmount(event.target.value)}
          />
        ) : null}
        {asks('at') || at !== '' ? (
          <TextField
            label="Date"
            type="date"
            value={at}
            error={missing['at']}
            onChange={(event) => setAt(event.target.value)}
          />
        ) : null}
        <Button type="submit" icon="check" busy={busy} className="self-end">
          Count It In
        </Button>
      </form>
    </Dialog>
  )
}
