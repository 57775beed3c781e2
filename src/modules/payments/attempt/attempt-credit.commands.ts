import type { StreamChange } from '#platform/event-store/command-handler'
import type { PaymentsNeeds } from '../needs'
import { creditLines, type CreditLine } from './credit-lines'
import type { PaymentAttempt, StartedAttempt } from './payment-attempt'

export type AttemptCredit = {
  follow: (attempt: PaymentAttempt, at: Date) => StreamChange[]
  hold: (indexes: ReadonlySet<number>, at: Date) => StreamChange[]
  lacking: () => ReadonlySet<number>
}

const none: AttemptCredit = { follow: () => [], hold: () => [], lacking: () => new Set() }

export const attemptCredit = async (
  { credit }: PaymentsNeeds,
  attempt: PaymentAttempt,
): Promise<AttemptCredit> => {
  const lines = creditLines(attempt)
  if (attempt.status === 'none' || lines.length === 0) return none
  const { attemptId, userId } = attempt.checkout
  const account = await credit.accountOf(userId)
  const change = (checkout: StartedAttempt, wanted: readonly CreditLine[], at: Date): StreamChange[] => [
    account.follow(
      { userId, attemptId, reference: checkout.checkout.companyRef, lines: wanted, texts: textsOf(checkout) },
      at,
    ),
  ]
  return {
    follow: (now, at) => (now.status === 'none' ? [] : change(now, creditLines(now), at)),
    hold: (indexes, at) =>
      change(
        attempt,
        lines.map((line) => ({ ...line, wants: indexes.has(line.index) ? 'held' : 'as-is' })),
        at,
      ),
    lacking: () => new Set(lines.map(({ index }) => index).filter((index) => !account.has(attemptId, index))),
  }
}

const textsOf = ({ checkout: { lines } }: StartedAttempt) => {
  const meals = lines.length === 1 ? '1 meal' : `${lines.length} meals`
  return { held: `For ${meals}`, released: `Free again, of ${meals}` }
}
