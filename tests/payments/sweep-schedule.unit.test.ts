import { limitMinutesOf } from '#modules/payments/card/issue-token.commands'
import { nextCheckAfter } from '#modules/payments/attempt/payment.decide'
import { zone } from '../ordering/lunches'
import { iso, minute } from './attempt-words'
import { standIn } from '../support/stand-in'

const meal = (mealDate: string, cutoffMinute: number) => ({ mealDate, cutoffAt: iso(cutoffMinute) })
const token = { issuedAt: minute(0), limitAt: minute(30) }

test('the checks of an attempt: 60 s, 2, 4, 8, 15, 25 min, then 2 and 30 min and 24 h after the limit', () => {
  const times: number[] = []
  for (let at: Date | null = minute(0); at; at = nextCheckAfter(at, token))
    times.push((at.getTime() - minute(0).getTime()) / 60_000)
  expect(times).toEqual([0, 1, 2, 4, 8, 15, 25, 32, 60, 30 + 24 * 60])
})

test('with a short limit the closing comes between them', () =>
  expect(nextCheckAfter(minute(4), { ...token, limitAt: minute(5) })).toEqual(minute(7)))

test('what was missed is made up for by one check', () =>
  expect(nextCheckAfter(minute(100), token)).toEqual(minute(30 + 24 * 60)))

describe('the time limit', () => {
  test.each([
    ['30 minutes', [meal('2026-09-15', 1500)], 30],
    ['fewer before the cutoff of the same day', [meal('2026-09-14', 12.9), meal('2026-09-14', 60)], 12],
    ['but at least 5', [meal('2026-09-14', 2)], 5],
    ['the cutoff of another day does not count', [meal('2026-09-15', 10)], 30],
  ])('%s', (_name, lines, expected) =>
    expect(limitMinutesOf(standIn({ zone }), lines, minute(0))).toBe(expected),
  )
})
