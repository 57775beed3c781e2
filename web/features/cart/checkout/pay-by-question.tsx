import { payByLabel } from '../../../lib/pay-by'
import { RadioCards } from '../../../ui/radio-cards'
import type { Choice } from '../pay-by'

type PayByQuestionProps = {
  choices: readonly Choice[]
  chosen: Choice | null
  onChoose: (choice: Choice) => void
}

/** Asks how the cart is to be paid for, where there is a choice. */
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
