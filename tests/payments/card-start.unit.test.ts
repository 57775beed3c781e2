import { promptAsked, promptRefused } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import type { AttemptEvent, StartedAttempt } from '#modules/payments/attempt/payment-attempt'
import { cardStart, paysSameCart } from '#modules/payments/card/start.decide'
import { attemptId, checkout, happened, iso, minute } from './attempt-words'

const requestId = '0199c0de-0000-7000-8000-000000000001'
const airtel = { network: 'airtel', phone: '+260977123456', requestId } as const
const other = { network: 'mtn', phone: '+260966111222', requestId } as const
const none = { status: 'none' } as const

const after = (...events: AttemptEvent[]) =>
  events.reduce(paymentAttempt.evolve, paymentAttempt.initial) as StartedAttempt

const { started, issued, verified, declined, tokenRefused } = happened
const startedByPhone = { ...started, data: { ...started.data, payBy: 'airtel' as const } }
const asked = promptAsked({ attemptId, ...airtel, at: iso(0) })
const refused = promptRefused({ attemptId, requestId, network: 'airtel', why: '999', at: iso(0) })

describe('the start of a card payment', () => {
  const step = (
    known: { own?: StartedAttempt; isUnanswered?: boolean; sameCart?: StartedAttempt },
    way: Parameters<typeof cardStart>[1],
    at = 0,
  ) => {
    const { own = none, isUnanswered = false, sameCart = null } = known
    return cardStart({ own, isUnanswered, sameCart }, way, minute(at)).step
  }

  test.each([
    ['nothing is known', {}, 'begin'],
    ['a crash left its draft', { own: after(started) }, 'hold-again'],
    ['the sweep gave it up and nobody was told', { own: after(started), isUnanswered: true }, 'begin-anew'],
    ['it has its page', { own: after(started, issued) }, 'answer'],
    ['the same cart is being made', { sameCart: after(started) }, 'wait'],
    ['the same cart has its page', { sameCart: after(started, issued) }, 'choose-page'],
  ] as const)('on the page, when %s: %s', (_when, known, expected) => {
    expect(step(known, null)).toBe(expected)
  })

  test.each([
    ['it has a token and no prompt', { own: after(startedByPhone, issued) }, 'prompt'],
    ['its prompt was asked for', { own: after(startedByPhone, issued, asked) }, 'answer'],
    ['it is paid', { own: after(startedByPhone, issued, verified) }, 'answer'],
    ['the same cart has no token yet', { sameCart: after(startedByPhone) }, 'wait'],
    ['the same cart is about to ring', { sameCart: after(startedByPhone, issued) }, 'wait'],
    ['the same cart rings this phone', { sameCart: after(startedByPhone, issued, asked) }, 'answer'],
    ['the same cart has its page', { sameCart: after(started, issued) }, 'prompt-again'],
  ] as const)('by prompt, when %s: %s', (_when, known, expected) => {
    expect(step(known, airtel)).toBe(expected)
  })

  test('by prompt to another phone than rings for the same cart, it is asked there', () => {
    expect(step({ sameCart: after(startedByPhone, issued, asked) }, other)).toBe('prompt-again')
  })

  test('a prompt that is not asked for within ten seconds of its token is not waited for', () => {
    expect(step({ sameCart: after(startedByPhone, issued) }, airtel, 1)).toBe('prompt-again')
  })

  test.each([
    ['was asked for', after(startedByPhone, issued, asked, refused)],
    ['is not offered', after(startedByPhone, issued, refused)],
  ])('a repeat of a prompt that %s and reached no phone is told so again', (_what, own) => {
    expect(() => step({ own }, airtel)).toThrow('cannot be reached')
    expect(step({ own: { ...own, status: 'paid' } as StartedAttempt }, airtel)).toBe('answer')
  })

  test('another way under one key is refused', () => {
    expect(() => step({ own: after(started, issued) }, airtel)).toThrow('Idempotency-Key')
  })
})

describe('the same cart', () => {
  const cart = { userId: checkout.userId, bodyHash: checkout.bodyHash }
  const pays = (attempt: StartedAttempt, way: typeof airtel | null = null, at = 0) =>
    paysSameCart(attempt, cart, way, minute(at))

  test.each([
    ['while it is begun', after(started), true],
    ['while its page is open', after(started, issued), true],
    ['after it got no token', after(started, tokenRefused), false],
    ['once it is paid', after(started, issued, verified), false],
    ['declined on the page', after(started, issued, declined), false],
  ])('is paid by an attempt %s: %s', (_when, attempt, expected) => {
    expect(pays(attempt)).toBe(expected)
  })

  test('is paid by a declined one where a phone is asked now', () => {
    expect(pays(after(started, issued, declined), airtel, 3)).toBe(true)
  })

  test('is not paid after the limit of the token', () => {
    expect(pays(after(started, issued), null, 31)).toBe(false)
  })

  test('is that of one user and one body', () => {
    const attempt = after(started, issued)
    expect(paysSameCart(attempt, { ...cart, userId: 99 }, null, minute(0))).toBe(false)
    expect(paysSameCart(attempt, { ...cart, bodyHash: 'other' }, null, minute(0))).toBe(false)
  })
})
