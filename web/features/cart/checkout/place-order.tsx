import { useEffect, useState } from 'react'
import { Button } from '../../../ui/button'
import { payByLabel } from '../../../lib/format'
import { RadioCards } from '../../../ui/radio-cards'
import type { Choice } from '../send-cart'

type PlaceOrderProps = {
  price: string | null
  busy: boolean
  leaving: boolean
  blocked: string | null
  onPlace: () => void
}

export const PlaceOrder = ({ price, busy, leaving, blocked, onPlace }: PlaceOrderProps) => {
  const slow = useSlow(busy)
  return (
    <div className="bottom-safe pointer-events-none fixed inset-x-0 z-20 flex flex-col items-center gap-2 px-4">
      {blocked ? (
        <p
          id="place-order-blocked"
          className="rounded-md border border-danger-200 bg-danger-50 px-3 py-1.5 text-sm font-medium text-danger-700 shadow-raised"
        >
          {blocked}
        </p>
      ) : null}
      <Button
        busy={busy}
        busyLabel={
          leaving ? 'Opening the payment page' : slow ? 'Still waiting for an answer' : 'Placing order'
        }
        disabled={blocked !== null}
        aria-describedby={blocked ? 'place-order-blocked' : undefined}
        onClick={onPlace}
        className="pointer-events-auto min-h-13 w-full max-w-form px-6 shadow-raised"
      >
        Place Order
        {price === null ? null : (
          <>
            {' · '}
            <span className="money">{price}</span>
          </>
        )}
      </Button>
    </div>
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
  onChoose: (choice: Choice) => void
}

export const PayByQuestion = ({ choices, chosen, onChoose }: PayByQuestionProps) =>
  choices.length === 0 ? null : (
    <RadioCards
      label="How do you want to pay?"
      value={chosen}
      onChange={onChoose}
      options={choices.map((value) => ({
        value,
        label: payByLabel(value),
        hint:
          value === 'card'
            ? 'You pay at once, on the page of the card provider'
            : 'You send the money yourself, with the reference that you get',
      }))}
    />
  )
