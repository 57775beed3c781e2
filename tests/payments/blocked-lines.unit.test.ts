import { linesAmended, linesBlocked, type BlockReason } from '#modules/payments/attempt/events'
import { blockedLines, type FulfilmentFacts } from '#modules/payments/attempt/settlement.decide'
import { unresolvedLines, type AttemptEvent } from '#modules/payments/attempt/payment-attempt'
import { attemptId, happened, iso, pastOf, standing, tuesday } from './attempt-words'

const straight: FulfilmentFacts = {
  alreadyOrdered: new Set(),
  unavailableReasons: [],
  conflicts: new Set(),
  soldOut: new Set(),
  graceMinutes: 15,
  withdrawnItems: 'honour',
}

/** Of Tuesday's line (index 0); Wednesday's is never hindered. */
const given = (...past: AttemptEvent[]) => ({
  when: (facts: Partial<FulfilmentFacts>) => {
    const attempt = standing(...past)
    const found = blockedLines(attempt, unresolvedLines(attempt), { ...straight, ...facts })
    return {
      thenOrdered: () => expect(found).toEqual([]),
      thenBlocked: (reason: BlockReason) => expect(found).toEqual([{ index: 0, reason }]),
    }
  },
})
const hindered = (reason: BlockReason) => ({ unavailableReasons: [{ index: 0, reason }] })
const withdrawn = hindered('item_withdrawn')
const held = (reason: BlockReason) => linesBlocked({ attemptId, lines: [{ index: 0, reason }], at: iso(5) })
const amended = linesAmended({ attemptId, lines: [tuesday], at: iso(6) })
const retried = (reason: BlockReason) => [...pastOf.paid, held(reason), happened.recovering('blocked')]

describe('a paid line', () => {
  test('without a unavailableReason is ordered', () =>
    given(...pastOf.paid)
      .when({})
      .thenOrdered())
  test('is blocked by what hinders it', () =>
    given(...pastOf.paid)
      .when(hindered('day_blocked'))
      .thenBlocked('day_blocked'))
  test('is blocked where its day is somebody else’s', () =>
    given(...pastOf.paid)
      .when({ conflicts: new Set([0]) })
      .thenBlocked('duplicate_day'))
  test('an item that is sold out by now stands in the way', () =>
    given(...pastOf.paid)
      .when({ soldOut: new Set([0]) })
      .thenBlocked('sold_out'))
  test('that has its order already is as good as any', () =>
    given(...pastOf.paid)
      .when({ ...hindered('day_blocked'), alreadyOrdered: new Set([0]), conflicts: new Set([0]) })
      .thenOrdered())
})

describe('a paid line whose item was withdrawn', () => {
  const hold = { ...withdrawn, withdrawnItems: 'hold' as const }
  test('is honoured by default', () =>
    given(...pastOf.paid)
      .when(withdrawn)
      .thenOrdered())
  test('is held where the school holds', () =>
    given(...pastOf.paid)
      .when(hold)
      .thenBlocked('item_withdrawn'))
  test('is ordered once a person retries what was held', () =>
    given(...retried('item_withdrawn'))
      .when(hold)
      .thenOrdered())
  test('is held when a person retried it for another reason', () =>
    given(...retried('day_blocked'))
      .when(hold)
      .thenBlocked('item_withdrawn'))
  test('is ordered once a person has changed it', () =>
    given(...retried('day_blocked'), amended)
      .when(hold)
      .thenOrdered())
  test('is blocked by a day that is taken first, whatever the school does', () => {
    for (const withdrawnItems of ['honour', 'hold'] as const)
      given(...pastOf.paid)
        .when({ ...withdrawn, withdrawnItems, conflicts: new Set([0]) })
        .thenBlocked('duplicate_day')
  })
})
