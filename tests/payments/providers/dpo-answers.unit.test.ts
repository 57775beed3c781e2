import {
  readCancelAnswer,
  readCreateAnswer,
  readRefundAnswer,
  readRefundsAnswer,
} from '../../../src/modules/payments/providers/dpo-answers'
import { companyToken, dpoXml } from './answers'

const coded = (code: string) => dpoXml({ Result: code, ResultExplanation: 'In words' })

const readCreated = (xml: string) => readCreateAnswer(xml, companyToken)
const readRefunds = (xml: string) => readRefundsAnswer(xml, companyToken)

const found = (refund: Record<string, string>[] | Record<string, string>) =>
  dpoXml({ Code: '000', Explanation: 'Results Found', Refunds: { Refund: refund } })

describe('createToken', () => {
  const created = { Result: '000', ResultExplanation: 'Transaction created' }
  const token = '72983CAC-5DB1-4C7F-BD88-352066B71592'

  test('000 with a token is created', () => {
    expect(readCreated(dpoXml({ ...created, TransToken: token, TransRef: 'R497' }))).toEqual({
      kind: 'created',
      token,
      ref: 'R497',
    })
    expect(readCreated(dpoXml({ ...created, TransToken: token }))).toEqual({
      kind: 'created',
      token,
      ref: null,
    })
  })

  test.each([null, '', 'a b', '../../x', companyToken])('000 with %j for a token is unreachable', (sent) => {
    const xml = dpoXml({ ...created, ...(sent !== null && { TransToken: sent }) })
    expect(readCreated(xml)).toEqual({ kind: 'unreachable', why: 'no-token', detail: null })
  })

  test.each(['801', '802', '803', '804', '902', '904', '922', '923', '930', '950', '951', '960'])(
    '%s: our request or credentials are wrong',
    (code) => {
      expect(readCreated(coded(code))).toEqual({ kind: 'config', code, explanation: 'In words' })
    },
  )

  test.each([
    ['905', 'over-limit'],
    ['906', 'over-limit'],
    ['940', 'already-paid'],
    ['999', 'other'],
    ['001', 'other'],
    ['900', 'other'],
  ])('%s: this payment is refused, %s', (code, reason) => {
    expect(readCreated(coded(code))).toEqual({ kind: 'refused', reason, code, explanation: 'In words' })
  })

  test('the other envelope, and a page', () => {
    expect(readCreated(dpoXml({ Code: '940', Explanation: 'Paid' }))).toMatchObject({
      reason: 'already-paid',
    })
    expect(readCreated('<html><body>Busy</body></html>')).toMatchObject({
      kind: 'unreachable',
      why: 'no-code',
    })
  })
})

describe.each([
  ['cancelToken', readCancelAnswer, { kind: 'cancelled' }],
  ['refundToken', readRefundAnswer, { kind: 'accepted' }],
] as const)('%s', (_operation, reader, done) => {
  const read = (xml: string) => reader(xml, companyToken)

  test('000 is done', () => {
    expect(read(coded('000'))).toEqual(done)
    expect(read(dpoXml({ Code: '000' }))).toEqual(done)
  })

  test('999 is refused', () => {
    expect(read(coded('999'))).toEqual({ kind: 'refused', code: '999', explanation: 'In words' })
  })

  test.each(['801', '802', '803', '804', '902', '950', '951'])('%s is a fault of ours', (code) => {
    expect(read(coded(code))).toEqual({ kind: 'config', code, explanation: 'In words' })
  })

  test.each(['001', '003', '900', '901', '904', '123'])('%s is in no table: unreachable', (code) => {
    expect(read(coded(code))).toEqual({ kind: 'unreachable', why: 'unknown-code', detail: code })
  })

  test('a page is unreachable', () => {
    expect(read('<html/>')).toEqual({ kind: 'unreachable', why: 'no-code', detail: null })
  })
})

describe('verifyRefund', () => {
  test.each([
    ['003', 'done'],
    ['008', 'declined'],
    ['009', 'pending'],
    ['777', 'pending'],
  ])('a refund with %s is %s', (code, status) => {
    const refund = {
      Code: code,
      RefundStatus: 'In words',
      RefundDate: '2026-09-16 09:00:00',
      RefundAmount: '45.5000',
    }
    expect(readRefunds(found(refund))).toEqual({
      kind: 'reported',
      refunds: [{ status, code, amount: 4550, date: '2026-09-16 09:00:00' }],
    })
  })

  test('a code as the status, an amount that is no ngwee, and several refunds', () => {
    expect(
      readRefunds(
        found([
          { RefundStatus: '003', RefundAmount: '10.00' },
          { Code: '008', RefundStatus: 'Declined', RefundAmount: '104.8283' },
        ]),
      ),
    ).toEqual({
      kind: 'reported',
      refunds: [
        { status: 'done', code: '003', amount: 1000, date: null },
        { status: 'declined', code: '008', amount: null, date: null },
      ],
    })
  })

  test.each([
    dpoXml({ Code: '000', Explanation: 'Results Found' }),
    dpoXml({ Code: '000', Refunds: '' }),
    dpoXml({ Code: '000', Refunds: { Refund: 'none' } }),
  ])('no refunds: %s', (xml) => {
    expect(readRefunds(xml)).toEqual({ kind: 'reported', refunds: [] })
  })

  test.each(['001', '801', '802', '803', '804', '902', '950', '951'])('%s is a fault of ours', (code) => {
    expect(readRefunds(dpoXml({ Code: code, Explanation: 'In words' }))).toEqual({
      kind: 'config',
      code,
      explanation: 'In words',
    })
  })

  test.each(['003', '008', '999'])('%s for the whole answer is in no table: unreachable', (code) => {
    expect(readRefunds(dpoXml({ Code: code }))).toMatchObject({ kind: 'unreachable', why: 'unknown-code' })
  })

  test('nothing of a list holds the company token', () => {
    const refund = { Code: companyToken, RefundStatus: companyToken, RefundDate: companyToken }
    expect(JSON.stringify(readRefunds(found(refund)))).not.toContain(companyToken)
  })
})
