import { graceEnd, moneyOf, portionKeptUntil, type MealLine, type UserMessage } from '#kernel/meal-line'
import { timeText } from '#kernel/school-time'
import { toPayFor, type StartedAttempt } from '../attempt/payment-attempt'
import { readBypass, readLapsing } from '../attempt/payment-bypass.rows'
import { firstLapse } from '../attempt/unpaid.decide'
import type { PaymentsNeeds } from '../ports'
import { instructionsLetter } from './instructions'

export const instructionsCause = (attemptId: string): string => `payment-instructions/${attemptId}`

/** How to pay for this checkout. */
export const instructionsOf = async (
  needs: PaymentsNeeds,
  { status, checkout }: StartedAttempt,
): Promise<UserMessage | null> => {
  const { zone, graceMinutes } = needs
  const { companyRef, lines, payBy, office, at } = checkout
  // Of money that is there the receipt tells.
  if (status !== 'fulfilled' || companyRef === null || office?.received) return null
  const toPay = lines.filter((line) => moneyOf(line) > 0)
  const lapsesAt = firstLapse(
    toPay.map((line) => ({
      ...line,
      lapsesAt: line.late ? null : graceEnd(line, graceMinutes),
      portionUntil: null,
    })),
    await readLapsing(needs),
  )
  return instructionsLetter(
    {
      reference: companyRef,
      amount: toPayFor(lines),
      meals: lines,
      payBy,
      atOffice: office !== undefined,
      until: lapsesAt && timeText(lapsesAt, zone),
      limited: limitedIn(toPay, at, zone),
    },
    await readBypass(needs),
  )
}

const limitedIn = (lines: readonly MealLine[], at: string, zone: string) => {
  const kept = lines.flatMap((line) => {
    const until = portionKeptUntil(line, at)
    return until === null ? [] : [{ item: line.item.name, until }]
  })
  const [first] = kept
  return first
    ? { items: [...new Set(kept.map(({ item }) => item))], until: timeText(new Date(first.until), zone) }
    : null
}
