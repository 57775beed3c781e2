import { dpoProvider } from '../../../src/modules/payments/providers/dpo'
import { verdictFor, type TokenAnswer } from '../../../src/modules/payments/providers/provider'
import { scriptTags } from '../../../src/sandbox/script'
import { request } from './facing'
import { startFakeDpo, type FakeDpo } from './fake-dpo'

let dpo: FakeDpo
let at = new Date('2026-09-16T05:00:00Z')
const now = () => at
const later = (minutes: number) => void (at = new Date(at.getTime() + minutes * 60_000))

beforeAll(async () => {
  dpo = await startFakeDpo({ now })
})
afterAll(() => dpo.close())
beforeEach(() => {
  at = new Date('2026-09-16T05:00:00Z')
})

const provider = (timeouts = dpo.config.timeouts) =>
  dpoProvider({ config: { ...dpo.config, timeouts }, now, zone: 'Africa/Lusaka' })

const brief = { createMs: 200, verifyMs: 200 }
let number = 0

/** A new payment of K145.00 whose reference carries the tag. */
const create = async (tag: string, timeouts = dpo.config.timeouts) => {
  number += 1
  const reference = `LP-${tag}-${number}`
  const answer = await provider(timeouts).createToken({ ...request, reference })
  return { answer, reference }
}

const tokenOf = (answer: TokenAnswer) => {
  if (answer.kind !== 'created') throw new Error(`Not created: ${JSON.stringify(answer)}`)
  return answer.token
}

const tried = new Set<string>()

/** What becomes of a payment whose reference carries the tag. */
const verdict = async (tag: string, timeouts = dpo.config.timeouts) => {
  tried.add(tag)
  const { answer, reference } = await create(tag)
  const verified = await provider(timeouts).verify(tokenOf(answer), { acknowledge: false })
  return verdictFor(verified, { amount: request.amount, currency: 'ZMW', reference })
}

test.each([
  ['PAID', { kind: 'paid', amount: 14500, fee: 0 }],
  ['ALTCCY', { kind: 'paid', amount: 14500, fee: 0 }],
  ['MARKUP', { kind: 'paid', amount: 14500, fee: 350 }],
  ['V7ENVELOPE', { kind: 'paid', amount: 14500 }],
  ['FRAUD', { kind: 'paid', report: { fraud: { flagged: true, code: '001' } } }],
  ['WAIT', { kind: 'pending', code: '900' }],
  ['DECLINE', { kind: 'declined', code: '901' }],
  ['EXPIRE', { kind: 'expired', code: '903' }],
  ['CANCEL', { kind: 'cancelled', code: '904' }],
  ['UNDER', { kind: 'mismatch', received: 14499, differences: [{ what: 'amount', reported: '144.99' }] }],
  ['OVER', { kind: 'mismatch', received: 14501, differences: [{ what: 'amount', reported: '145.01' }] }],
  ['NOAMT', { kind: 'mismatch', received: null, differences: [{ what: 'amount', reported: null }] }],
  ['OTHERCCY', { kind: 'mismatch', differences: [{ what: 'currency', reported: 'USD' }] }],
  ['OTHERREF', { kind: 'mismatch', differences: [{ what: 'reference' }] }],
  ['NOREF', { kind: 'mismatch', differences: [{ what: 'reference', reported: null }] }],
  ['HTML502', { kind: 'unreachable', why: 'http-status', detail: '502' }],
  ['HTML200', { kind: 'unreachable', why: 'no-code' }],
  ['TRUNCATED', { kind: 'unreachable', why: 'not-xml' }],
  ['DOCTYPE', { kind: 'unreachable', why: 'doctype' }],
  ['HUGE', { kind: 'unreachable', why: 'too-large' }],
  ['LEAK', { kind: 'paid', report: { explanation: 'Paid to [struck out]' } }],
  ['CODE001', { kind: 'pending', code: '001', unusual: true }],
  ['CODE002', { kind: 'mismatch', code: '002', received: 14500 }],
  ['CODE003', { kind: 'pending', code: '003', unusual: false }],
  ['CODE005', { kind: 'pending', code: '005', unusual: false }],
  ['CODE007', { kind: 'pending', code: '007', unusual: true }],
  ['CODE801', { kind: 'config', code: '801' }],
  ['CODE951', { kind: 'config', code: '951' }],
  ['CODE777', { kind: 'unreachable', why: 'unknown-code', detail: '777' }],
])('a payment tagged %s', async (tag, expected) => {
  expect(await verdict(tag)).toMatchObject(expected)
})

test('STALL: no answer within the time-out', async () => {
  expect(await verdict('STALL', brief)).toEqual({ kind: 'unreachable', why: 'timeout', detail: null })
})

test('LATEPAY: open, expired, and paid ten minutes after the limit', async () => {
  tried.add('LATEPAY')
  const { answer } = await create('LATEPAY')
  const look = async () => (await provider().verify(tokenOf(answer), { acknowledge: false })).kind
  expect(await look()).toBe('pending')
  later(30)
  expect(await look()).toBe('expired')
  later(10)
  expect(await look()).toBe('says-paid')
})

test('WAIT: still 900 long after the limit', async () => {
  const { answer } = await create('WAIT')
  later(60 * 24 * 30)
  expect(await provider().verify(tokenOf(answer), { acknowledge: false })).toMatchObject({ code: '900' })
})

test.each([
  ['NOTOKEN', { kind: 'unreachable', why: 'no-token' }],
  ['LIMIT', { kind: 'refused', reason: 'over-limit', code: '905' }],
  ['PAIDREF', { kind: 'refused', reason: 'already-paid', code: '940' }],
  ['CREATEHTML', { kind: 'unreachable', why: 'http-status' }],
  ['CREATESTALL', { kind: 'unreachable', why: 'timeout' }],
  ['CREATE802', { kind: 'config', code: '802' }],
  ['CREATE904', { kind: 'config', code: '904' }],
])('creating a payment tagged %s', async (tag, expected) => {
  tried.add(tag)
  expect((await create(tag, brief)).answer).toMatchObject(expected)
})

test('KEEP: cancelling is refused', async () => {
  tried.add('KEEP')
  const { answer } = await create('KEEP')
  expect(await provider().cancel(tokenOf(answer))).toMatchObject({ kind: 'refused', code: '999' })
})

test.each([
  ['PAID', { kind: 'accepted' }, [{ status: 'done', code: '003', amount: 4500 }]],
  ['REFUNDWAIT', { kind: 'accepted' }, [{ status: 'pending', code: '009', amount: 4500 }]],
  ['REFUNDDECLINED', { kind: 'accepted' }, [{ status: 'declined', code: '008', amount: 4500 }]],
  ['REFUNDNO', { kind: 'refused', code: '999' }, []],
])('refunding a payment tagged %s', async (tag, expected, refunds) => {
  tried.add(tag)
  const { answer } = await create(tag)
  const token = tokenOf(answer)
  const asked = { token, amount: 4500, details: 'Duplicate', refundRef: 'refund-1' }
  expect(await provider().refund(asked)).toMatchObject(expected)
  expect(await provider().verifyRefund({ token, ref: null })).toMatchObject({ kind: 'reported', refunds })
})

const listedNow = [{ status: 'done', code: '003', amount: 4500 }]

test.each([
  ['REFUNDHTML', 'http-status', listedNow, listedNow],
  ['REFUNDSTALL', 'timeout', listedNow, listedNow],
  ['REFUNDLATE', 'no-code', [], listedNow],
  ['REFUNDLOST', 'not-xml', [], []],
])(
  'refunding a payment tagged %s tells nothing (%s), and its list does',
  async (tag, why, atOnce, afterwards) => {
    tried.add(tag)
    const token = tokenOf((await create(tag)).answer)
    const asked = { token, amount: 4500, details: 'Duplicate', refundRef: 'refund-1' }
    expect(await provider(brief).refund(asked)).toMatchObject({ kind: 'unreachable', why })
    const list = () => provider().verifyRefund({ token, ref: null })
    expect(await list()).toMatchObject({ kind: 'reported', refunds: atOnce })
    later(10)
    expect(await list()).toMatchObject({ kind: 'reported', refunds: afterwards })
  },
)

/** Refunds K45.00 of a new payment under this tag; answers the way to look at the list. */
const refunded = async (tag: string) => {
  tried.add(tag)
  const token = tokenOf((await create(tag)).answer)
  const asked = { token, amount: 4500, details: 'Duplicate', refundRef: 'refund-1' }
  expect(await provider().refund(asked)).toEqual({ kind: 'accepted' })
  return () => provider().verifyRefund({ token, ref: null })
}

test('a refund that somebody has to release is done later, and a list that is shut tells nothing', async () => {
  const list = await refunded('REFUNDRELEASE')
  expect(await list()).toMatchObject({ refunds: [{ status: 'pending', code: '009' }] })
  later(10)
  expect(await list()).toMatchObject({ refunds: listedNow })
  expect(await (await refunded('REFUNDSHUT'))()).toMatchObject({ kind: 'unreachable', why: 'http-status' })
})

test('every tag has been tried here', () => {
  expect(scriptTags.filter((tag) => !tried.has(tag))).toEqual([])
})

describe('for tests of a whole service', () => {
  test('a token can be given a script, and the customer can be played', async () => {
    const answer = await provider().createToken({ ...request, reference: 'LP-7K3QW9ZD2M' })
    const token = tokenOf(answer)
    expect(await dpo.leave(token, 'decline')).toContain('/payment/success?TransID=')
    expect(dpo.transaction(token)).toMatchObject({ outcome: 'declined', tag: null })
    await dpo.script(token, 'UNDER')
    const verified = await provider().verify(token, { acknowledge: false })
    expect(
      verdictFor(verified, { amount: 14500, currency: 'ZMW', reference: 'LP-7K3QW9ZD2M' }),
    ).toMatchObject({
      kind: 'mismatch',
      received: 14499,
    })
    expect(dpo.returnAddress(token)).toContain(`TransactionToken=${token}`)
    expect(dpo.backAddress(token)).toContain(`/payment/cancel?TransactionToken=${token}`)
    expect(dpo.pushXml(token)).toContain(`<TransactionToken>${token}</TransactionToken>`)
  })

  test('what was asked is counted, and the log never holds the company token', async () => {
    const before = dpo.asked('verifyToken')
    await verdict('PAID')
    expect(dpo.asked('verifyToken')).toBe(before + 1)
    expect(JSON.stringify(dpo.log.lines)).not.toContain(dpo.config.companyToken)
  })
})
