import { moneyOf, portionKeptUntil, type MealLine } from '#kernel/meal-line'
import { timeText } from '#kernel/school-time'
import type { UserMessage } from '#kernel/user-message'
import { toPayFor, type StartedAttempt } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../needs'
import { instructionsLetter } from './instructions'
import { firstLapse, lapsingFrom } from './lapsing'
import { readLapsingSince, readPaymentBypass } from './alternative.routes'

export const instructionsCause = (attemptId: string): string => `payment-instructions/${attemptId}`

/** How to pay for this checkout. */
export const instructionsOf = async (
  { database, now, zone }: PaymentsNeeds,
  { status, checkout }: StartedAttempt,
): Promise<UserMessage | null> => {
  const { companyRef, lines, payBy, at } = checkout
  if (status !== 'fulfilled' || companyRef === null) return null
  const toPay = lines.filter((line) => moneyOf(line) > 0)
  const lapsesAt = firstLapse(
    toPay.map(({ cutoffAt }) => ({ lapsesAt: new Date(cutoffAt), portionUntil: null })),
    lapsingFrom(await readLapsingSince(database.knex), now(), zone),
  )
  return instructionsLetter(
    {
      reference: companyRef,
      amount: toPayFor(lines),
      meals: lines,
      payBy,
      until: lapsesAt && timeText(lapsesAt, zone),
      limited: limitedIn(toPay, at, zone),
    },
    await readPaymentBypass(database.knex),
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
