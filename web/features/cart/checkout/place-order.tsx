import { type ReactNode, useEffect, useState } from 'react'
import { notMobile, isMobile } from '#contracts/payments'
import { payByLabel } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { TextField } from '../../../ui/field'
import { Select } from '../../../ui/select'
import type { Choice } from '../send-cart'

type PlaceOrderProps = {
  price: string | null
  busy: boolean
  leaving: boolean
  /** Why a press leads elsewhere first. */
  blocked: string | null
  onPlace: () => void
  /** The question how to pay. */
  children: ReactNode
}

export const PlaceOrder = ({ price, busy, leaving, blocked, onPlace, children }: PlaceOrderProps) => {
  const slow = useSlow(busy)
  return (
    <section aria-label="Place the order" className="place-bar">
      {children}
      {blocked ? (
        <p id="place-order-blocked" className="text-sm font-medium text-danger-700">
          {blocked}
        </p>
      ) : null}
      <Button
        busy={busy}
        busyLabel={
          leaving ? 'Opening the payment page' : slow ? 'Still waiting for an answer' : 'Placing order'
        }
        aria-describedby={blocked ? 'place-order-blocked' : undefined}
        onClick={onPlace}
        className="min-h-12 w-full px-6"
      >
        Place Order
        {price === null ? null : (
          <>
            {' · '}
            <span className="money">{price}</span>
          </>
        )}
      </Button>
    </section>
  )
}

const slowAfterMs = 6000

const useSlow = (busy: boolean): boolean => {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [busy])
  return slow
}

type PayByQuestionProps = {
  choices: readonly Choice[]
  chosen: Choice | null
  /** Pressed without a choice. */
  isMissing: boolean
  onChoose: (choice: Choice) => void
}

export const PayByQuestion = ({ choices, chosen, isMissing, onChoose }: PayByQuestionProps) =>
  choices.length === 0 ? null : (
    <Select
      data-pay-by
      label="How do you want to pay?"
      placeholder="Choose"
      value={chosen ?? ''}
      error={isMissing && chosen === null ? 'Choose how you want to pay' : undefined}
      options={choices.map((value) => ({ value, label: payByLabel(value) }))}
      onChange={(event) => onChoose(event.target.value as Choice)}
      className="flex-row! flex-wrap items-center gap-x-3! [&>p]:basis-full [&>span]:min-w-32 [&>span]:flex-1"
    />
  )

type PhoneToPayFromProps = {
  phone: string
  /** Pressed without a number that a prompt can be sent to. */
  isMissing: boolean
  onChange: (phone: string) => void
}

export const PhoneToPayFrom = ({ phone, isMissing, onChange }: PhoneToPayFromProps) => (
  <TextField
    data-pay-from
    label="Number to pay from"
    type="tel"
    inputMode="tel"
    autoComplete="tel"
    value={phone}
    error={isMissing && !isMobile(phone) ? notMobile : undefined}
    onChange={(event) => onChange(event.target.value)}
  />
)
