import {
  admit,
  closedBreaker,
  record,
  type Breaker,
  type Outcome,
  type Pass,
} from '../../../src/modules/payments/providers/dpo'

/** One call after another at these instants (ms): how each was let through. */
const calls = (...story: [at: number, outcome: Outcome][]) => {
  let breaker: Breaker = closedBreaker
  const passes: (Pass | null)[] = []
  for (const [at, outcome] of story) {
    const admitted = admit(breaker, at)
    passes.push(admitted.pass)
    breaker = admitted.pass === null ? admitted.breaker : record(admitted.breaker, admitted.pass, outcome, at)
  }
  return { passes, breaker }
}

const failures = (count: number): [number, Outcome][] => Array.from({ length: count }, () => [0, 'failed'])

test('four failures in a row stop nothing', () => {
  expect(calls(...failures(4), [0, 'works'], ...failures(4), [0, 'works']).passes).not.toContain(null)
})

test('the fifth failure in a row stops calls for 60 seconds', () => {
  const { passes } = calls(
    ...failures(5),
    [0, 'works'],
    [59_999, 'works'],
    [60_000, 'works'],
    [60_000, 'works'],
  )
  expect(passes).toEqual([...Array(5).fill('usual'), null, null, 'trial', 'usual'])
})

test('a hopeless call stops calls at once', () => {
  expect(calls([0, 'hopeless'], [1, 'works'], [60_000, 'works']).passes).toEqual(['usual', null, 'trial'])
})

test('a trial that fails stops calls for another 60 seconds', () => {
  const { passes } = calls(
    [0, 'hopeless'],
    [60_000, 'failed'],
    [60_001, 'works'],
    [119_999, 'works'],
    [120_000, 'works'],
  )
  expect(passes).toEqual(['usual', 'trial', null, null, 'trial'])
})

test('while the trial is on its way nobody else passes', () => {
  const open: Breaker = { status: 'open', until: 60_000 }
  const { breaker, pass } = admit(open, 60_000)
  expect(pass).toBe('trial')
  expect(admit(breaker, 70_000)).toEqual({ breaker: { status: 'trying', until: 120_000 }, pass: null })
})

test('a call that set out before the breaker opened closes it when it works, and changes nothing when it fails', () => {
  const open: Breaker = { status: 'open', until: 60_000 }
  expect(record(open, 'usual', 'failed', 10_000)).toBe(open)
  expect(record(open, 'usual', 'hopeless', 10_000)).toBe(open)
  expect(record(open, 'usual', 'works', 10_000)).toEqual(closedBreaker)
})
