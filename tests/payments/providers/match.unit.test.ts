import * as fc from 'fast-check'
import {
  verdictFor,
  type Difference,
  type ProviderAnswer,
  type ReportedPayment,
} from '../../../src/modules/payments/providers/provider'
import { expected, saysPaid, report } from './answers'
import { tries } from '../../support/tries'

const pair = (amount: number | null, currency: string | null) => ({ amount, currency })
const nothing = pair(null, null)

const amount = (text: string | null): Difference => ({ what: 'amount', expected: '145.00', reported: text })
const currency = (text: string | null): Difference => ({ what: 'currency', expected: 'ZMW', reported: text })
const reference = (text: string | null): Difference => ({
  what: 'reference',
  expected: 'LP-7K3QW9ZD2M',
  reported: text,
})

describe('an answer 000 is paid when amount, currency and reference are as asked', () => {
  const cases: [name: string, changes: Partial<ReportedPayment>, fee: number][] = [
    ['to the ngwee', {}, 0],
    ['in the final pair alone', { transaction: nothing, final: pair(14500, 'ZMW') }, 0],
    ['in the final pair after a conversion', { transaction: pair(580, 'USD'), final: pair(14500, 'ZMW') }, 0],
    ['in the first pair before a conversion', { final: pair(580, 'USD') }, 0],
    ['with a fee on top', { transaction: pair(14850, 'ZMW'), markupFee: 350 }, 350],
    [
      'with a fee on top in the final pair',
      { transaction: nothing, final: pair(14850, 'ZMW'), markupFee: 350 },
      350,
    ],
    ['with a fee that was not charged', { markupFee: 350 }, 0],
    ['with a fee in one pair and without in the other', { final: pair(14850, 'ZMW'), markupFee: 350 }, 0],
    ['with a fee of nothing', { markupFee: 0 }, 0],
    [
      'flagged as fraud: it is paid all the same',
      { fraud: { flagged: true, code: '001', explanation: null } },
      0,
    ],
  ]
  test.each(cases)('%s', (_name, changes, fee) => {
    expect(verdictFor(saysPaid(changes), expected)).toEqual({
      kind: 'paid',
      code: '000',
      amount: 14500,
      fee,
      report: report(changes),
    })
  })
})

describe('an answer 000 is a mismatch when something is not as asked', () => {
  const cases: [
    name: string,
    changes: Partial<ReportedPayment>,
    differences: Difference[],
    received: number | null,
  ][] = [
    ['a ngwee too little', { transaction: pair(14499, 'ZMW') }, [amount('144.99')], 14499],
    ['a ngwee too much', { transaction: pair(14501, 'ZMW') }, [amount('145.01')], 14501],
    ['nothing', { transaction: pair(0, 'ZMW') }, [amount('0.00')], 0],
    ['no amount', { transaction: pair(null, 'ZMW') }, [amount(null)], null],
    ['no currency', { transaction: pair(14500, null) }, [currency(null)], null],
    ['neither', { transaction: nothing }, [amount(null), currency(null)], null],
    ['the amount in another currency', { transaction: pair(14500, 'USD') }, [currency('USD')], null],
    ['a currency in small letters', { transaction: pair(14500, 'zmw') }, [currency('zmw')], null],
    [
      'another amount in another currency',
      { transaction: pair(580, 'USD') },
      [amount('5.80'), currency('USD')],
      null,
    ],
    [
      'both pairs wrong',
      { transaction: pair(580, 'USD'), final: pair(14000, 'ZMW') },
      [amount('140.00')],
      14000,
    ],
    [
      'amount and currency of two pairs',
      { transaction: pair(14500, 'USD'), final: pair(null, 'ZMW') },
      [amount(null)],
      null,
    ],
    [
      'more than the fee on top',
      { transaction: pair(14851, 'ZMW'), markupFee: 350 },
      [amount('148.51')],
      14851,
    ],
    [
      'less than the fee on top',
      { transaction: pair(14849, 'ZMW'), markupFee: 350 },
      [amount('148.49')],
      14849,
    ],
    ['too much without a told fee', { transaction: pair(14850, 'ZMW') }, [amount('148.50')], 14850],
    [
      'the fee on top in another currency',
      { transaction: pair(14850, 'USD'), markupFee: 350 },
      [amount('148.50'), currency('USD')],
      null,
    ],
    ['no reference', { reference: null }, [reference(null)], 14500],
    ["another payment's reference", { reference: 'LP-OTHER' }, [reference('LP-OTHER')], 14500],
    ['a reference in small letters', { reference: 'lp-7k3qw9zd2m' }, [reference('lp-7k3qw9zd2m')], 14500],
    [
      'everything',
      { transaction: pair(100, 'USD'), reference: 'LP-OTHER' },
      [amount('1.00'), currency('USD'), reference('LP-OTHER')],
      null,
    ],
  ]
  test.each(cases)('%s', (_name, changes, differences, received) => {
    expect(verdictFor(saysPaid(changes), expected)).toEqual({
      kind: 'mismatch',
      code: '000',
      received,
      differences,
      report: report(changes),
    })
  })
})

const saysMismatch = (changes: Partial<ReportedPayment> = {}): ProviderAnswer => ({
  kind: 'says-mismatch',
  code: '002',
  report: report(changes),
})

describe('an answer 002 is a mismatch', () => {
  test('with what was received', () => {
    expect(verdictFor(saysMismatch({ transaction: pair(10000, 'ZMW') }), expected)).toMatchObject({
      kind: 'mismatch',
      code: '002',
      received: 10000,
      differences: [amount('100.00')],
    })
  })

  test('even when nothing that is told differs', () => {
    expect(verdictFor(saysMismatch(), expected)).toMatchObject({
      kind: 'mismatch',
      received: 14500,
      differences: [],
    })
  })
})

test.each<ProviderAnswer>([
  { kind: 'pending', code: '900', explanation: '', unusual: false },
  { kind: 'pending', code: '007', explanation: '', unusual: true },
  { kind: 'declined', code: '901', explanation: '' },
  { kind: 'expired', code: '903', explanation: '' },
  { kind: 'cancelled', code: '904', explanation: '' },
  { kind: 'config', code: '802', explanation: '' },
  { kind: 'unreachable', why: 'timeout', detail: null },
])('any other answer is its own verdict: $kind $code', (answer) => {
  expect(verdictFor(answer, expected)).toBe(answer)
})

test('no amounts, fees and currencies but the asked ones are ever paid', () => {
  const near = fc.oneof(fc.integer({ min: 14400, max: 14600 }), fc.nat(), fc.constant(null))
  const coin = fc.constantFrom('ZMW', 'USD', 'zmw', '', null)
  const anyPair = fc.record({ amount: near, currency: coin })
  const anyTold = fc.record({
    transaction: anyPair,
    final: anyPair,
    markupFee: fc.oneof(fc.nat({ max: 200 }), fc.constant(null)),
    reference: fc.constantFrom('LP-7K3QW9ZD2M', 'LP-7K3QW9ZD2', null),
  })
  fc.assert(
    fc.property(anyTold, (changes) => {
      const verdict = verdictFor(saysPaid(changes), expected)
      const asAsked = [changes.transaction, changes.final].some(
        (one) =>
          one.currency === 'ZMW' &&
          one.amount !== null &&
          (one.amount === 14500 || (changes.markupFee !== null && one.amount === 14500 + changes.markupFee)),
      )
      expect(verdict.kind).toBe(asAsked && changes.reference === 'LP-7K3QW9ZD2M' ? 'paid' : 'mismatch')
      if (verdict.kind === 'mismatch') expect(verdict.differences).not.toEqual([])
    }),
    { seed: 145, numRuns: tries(2_000) },
  )
})
