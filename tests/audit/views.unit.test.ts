import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DomainEvent, userIdOf } from '#kernel/event'
import { canonicalJson } from '#modules/audit/chain/chain.commands'
import { entriesView, allDescriptions, nonUserActor } from '#modules/audit/history/entries.view'
import { historyReply, marksIn, redacted, withoutIds } from '#modules/audit/history/entry'
import { csvLines } from '#modules/audit/history/history.routes'
import { recorded } from '../support/recorded-events'
import { viewSpec } from '../support/view-spec'
import { changed } from './auditing'
import { attemptId, orderId, sample, samples } from './sample-events'
import { movedSample } from './sample-order-changes'
import { transferId } from './sample-transfers'

const id = '0199a000-0000-7000-8000-0000000000ee'
const place = '00000000000000000001'
const entry = (event: DomainEvent) => ({
  event_id: id,
  position: place,
  at: '2026-09-15T06:00:01.000Z',
  actor: 'user:5',
  who: null,
  attempt_id: attemptId,
  reference: null,
  order_id: null,
  slot: null,
  transfer_id: null,
  order_price: null,
  ...event,
})
const happened = (event: DomainEvent, actor = 'user:5') =>
  recorded(event, { id, at: '2026-09-15T06:00:01.000Z', actor })

test.each(samples.map(([event, what]) => [event.type, what] as const))(
  'the history has one entry of %s, however often it is delivered',
  (type, what) => {
    const rows = viewSpec(entriesView).given(happened(sample(type)))
    rows.thenRow(place, expect.objectContaining({ event_id: id, what }))
  },
)

test.each(['payments.prompt-asked.v1', 'payments.transfer-confirmed.v1'])(
  'the phone of %s stands in its entry masked, and not at all once its family is deleted',
  (type) => {
    const thenDetails = (phone: string, details: unknown) =>
      viewSpec(entriesView)
        .given(happened(changed(sample(type), { phone })))
        .thenRow(place, expect.objectContaining({ details }))
    thenDetails('260977123456', expect.objectContaining({ Phone: '+260 97• ••• 456' }))
    thenDetails('[deleted]', expect.not.objectContaining({ Phone: expect.anything() }))
  },
)

describe('an entry knows what it belongs to', () => {
  test.each<[string, DomainEvent, object]>([
    ['an attempt', sample('payments.lines-released.v1'), {}],
    [
      'an attempt, whose reference it tells',
      sample('payments.checkout-started.v1'),
      { reference: 'LP-7K3QW9ZD2M' },
    ],
    ['a day that is kept', sample('ordering.lunch-reserved.v1'), { slot: '118.2026-09-22' }],
    [
      'an order and its attempt, and tells its price',
      sample('ordering.lunch-ordered.v1'),
      { order_id: orderId, order_price: 'told', amount: 4500 },
    ],
    [
      'an order that costs something else now',
      sample('ordering.order-changed.v1'),
      { attempt_id: null, order_id: orderId, order_price: 'told', amount: 3000 },
    ],
    [
      'an order, whose price it takes',
      sample('ordering.order-cancelled.v1'),
      { attempt_id: null, order_id: orderId, order_price: 'taken' },
    ],
    ['a transfer', sample('payments.transfer-undone.v1'), { attempt_id: null, transfer_id: transferId }],
    [
      'an order and the transfer that paid for it',
      sample('ordering.order-payment-undone.v1'),
      { attempt_id: null, order_id: orderId, order_price: 'taken', transfer_id: transferId },
    ],
    ['the order of a refund', sample('refunds.refund-withdrawn.v1'), { attempt_id: null, order_id: orderId }],
    [
      'the attempt of a refund',
      changed(sample('refunds.refund-withdrawn.v1'), { refundId: `${attemptId}.surplus` }),
      {},
    ],
    [
      'nothing, where a refund is named strangely',
      changed(sample('refunds.refund-withdrawn.v1'), { refundId: 'strange' }),
      { attempt_id: null },
    ],
  ])('%s', (_what, event, belonging) => {
    const { type: _type, data: _data, ...expected } = { ...entry(event), ...belonging }
    viewSpec(entriesView).given(happened(event)).thenRow(place, expect.objectContaining(expected))
  })
})

test('an entry of something that happened by itself says so in words', () => {
  viewSpec(entriesView)
    .given(happened(sample('payments.lines-released.v1'), 'job:finish-free-checkouts'))
    .thenRow(place, expect.objectContaining({ who: 'Tuckshop (finish free checkouts)' }))
})

test('a meal that lapsed says why it was cancelled', () => {
  const lapsed = changed(sample('ordering.order-cancelled.v1'), { by: 'system' })
  viewSpec(entriesView)
    .given(happened(lapsed, 'job:lapse-unpaid-meals'))
    .thenRow(
      place,
      expect.objectContaining({
        who: 'Tuckshop (lapse unpaid meals)',
        what: 'Order cancelled: it was not paid for in time',
      }),
    )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1+1', '\t=1', '\r=1', '\n=1', '\tx', '\rx', '＝1+1', '＠A1'])(
  '%j is no formula in a cell',
  (text) => expect(csvLines([[text]])).toMatch(/^"\n?'/),
)

test.each([
  ['a,=1', "a,'=1"],
  ['a;=1', "a;'=1"],
  ['a|@SUM(A1)', "a|'@SUM(A1)"],
  ['a\t+1', "a\t'+1"],
  ['a\n-1', "a\n'-1"],
  ['a\r\n =1', "a\r\n' =1"],
  ['a\r=1', "a\r'=1"],
  ['a;\t=1', "a;'\t'=1"],
  ['\t=1', "'\t'=1"],
  ['=1,=2', "'=1,'=2"],
])('nor is what a program that splits the cell %j once more finds', (text, written) =>
  expect(csvLines([[text]])).toBe(`"${written}"\r\n`),
)

test('every cell is quoted, and other text stays as it is', () => {
  expect(csvLines([['nshima', 'a=b', 'one, two', 'say "hi"', '', '14-09']])).toBe(
    '"nshima","a=b","one, two","say ""hi""","","14-09"\r\n',
  )
  expect(csvLines([['Mwila'], ['two\nlines']], { bom: true })).toBe('\uFEFF"Mwila"\r\n"two\nlines"\r\n')
})

const modules = join(__dirname, '../../src/modules')

/** The stored names of all event types that the modules define, as their source has them. */
const definedTypes = () =>
  readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(modules, file), 'utf8').matchAll(/\beventType\(\s*(['"`])([^'"`]+)\1/g),
    ])
    .map(([, , name]) => name!)

const tell = (type: string) => {
  const words = allDescriptions.find((one) => one.type.type === type)
  if (!words) throw new Error(`No words for ${type}`)
  return words.describe(sample(type).data)
}

test('every event type of every module has words, and one set of them', () => {
  const told = allDescriptions.map(({ type }) => type.type)
  expect(definedTypes().length).toBeGreaterThan(30)
  expect(told.toSorted()).toEqual(definedTypes().toSorted())
  expect(samples.map(([{ type }]) => type).toSorted()).toEqual(told.toSorted())
})

test.each(samples)('$type: %s', ({ type }, sentence) => {
  expect(tell(type).what).toBe(sentence)
})

test('a change of the day says so, and the id that kitchen and hatch have there', () => {
  const words = allDescriptions.find(({ type }) => type.type === movedSample.type)!
  expect(words.describe(movedSample.data)).toMatchObject({
    what: 'Stew moved by an administrator from 2026-09-22 to 2026-09-24 (week 2, Thursday)',
    details: { movedTo: '118.2026-09-24.1' },
  })
})

test('no detail of any event shows a token, an email address or a phone number', () => {
  const secrets = /[0-9a-f]{8}-0000-4000|@|0977|12345678/
  for (const [{ type }] of samples) {
    const { what, details = {} } = tell(type)
    expect([type, what, ...Object.values(details)].join(' ')).not.toMatch(secrets)
  }
})

test('a payment says what the provider answered, with which card', () => {
  expect(tell('payments.payment-verified.v1')).toEqual({
    what: expect.any(String),
    amount: 4500,
    details: {
      'Provider answer': '000 Transaction Paid for …abcd',
      Card: 'VISA ending 1234',
      Approval: 'A77',
      'Fraud check': null,
      Fee: 'K0.50',
    },
  })
})

test('a payment that does not fit says what was expected', () => {
  expect(tell('payments.payment-mismatched.v1').details).toMatchObject({
    'Other amount': '40.00 instead of 45.00',
  })
})

test('what a browser claims is shown as not believed', () => {
  expect(tell('payments.customer-signalled.v1').details).toEqual({
    'The browser said': 'verified (not believed)',
  })
})

test('a checkout lists its meals', () => {
  expect(tell('payments.checkout-started.v1').details).toEqual({
    Reference: 'LP-7K3QW9ZD2M',
    Meals: 'Beef Stew for Chipo Banda on 2026-09-22, K45.00',
  })
})

test('an order says what was chosen, and what it would have cost', () => {
  expect(tell('ordering.lunch-ordered.v1')).toMatchObject({
    amount: 4500,
    details: { Grade: '9', Protein: 'beef', 'Full price': 'K50.00', Discount: '10%', Payment: 'confirmed' },
  })
})

test('the samples are about one attempt and one order', () => {
  expect([attemptId, orderId]).toEqual(['0199a000-0000-7000-8000-000000000001', '118.2026-09-22.1'])
})

test.each([
  [
    { b: 1, a: { d: [1, { z: null, y: 'é' }], c: 12.5 } },
    '{"a":{"c":12.5,"d":[1,{"y":"é","z":null}]},"b":1}',
  ],
  [{ a: undefined, b: 2 }, '{"b":2}'],
  [{ aa: 1, a: 2, B: 3 }, '{"B":3,"a":2,"aa":1}'],
  [[], '[]'],
  ['"', '"\\""'],
  ['a\\b\n\u007f\ud800', JSON.stringify('a\\b\n\u007f\ud800')],
  [{ 'k"': true }, '{"k\\"":true}'],
  [null, 'null'],
])('%j has one spelling', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test.each([
  ['token 4E4C8B3A-1111-4222-8333-44444444abcd used', 'token …abcd used'],
  ['card 4111 1111 1111 1234', 'card …1234'],
  ['call +260977123456', 'call …3456'],
  ['paid by mwila@example.com', 'paid by (email address)'],
  ['two\n lines', 'two lines'],
  ['K45.00 on 2026-09-16', 'K45.00 on 2026-09-16'],
])('%s is shown as %s', (text, shown) => {
  expect(redacted(text)).toBe(shown)
})

test('a long text from outside is cut', () => {
  expect(redacted('x'.repeat(400))).toBe(`${'x'.repeat(300)}…`)
})

test.each([
  ['plain', '"plain"\r\n'],
  ['with, comma', '"with, comma"\r\n'],
  ['with "quotes"', '"with ""quotes"""\r\n'],
  ['two\nlines', '"two\nlines"\r\n'],
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"\r\n'],
  ['+1', '"\'+1"\r\n'],
  ['-1', '"\'-1"\r\n'],
  ['@sum', '"\'@sum"\r\n'],
  ['\tx', '"\'\tx"\r\n'],
  ['\rx', '"\'\rx"\r\n'],
  ['K45.00', '"K45.00"\r\n'],
])('the cell %j is written %j', (text, line) => {
  expect(csvLines([[text]])).toBe(line)
})

test.each([
  ['user:12', null],
  ['system', 'Tuckshop'],
  ['job:settle-refund', 'Tuckshop (settle refund)'],
  ['provider:dpo', 'provider dpo'],
])('%s is %s by itself', (actor, who) => {
  expect(nonUserActor(actor)).toBe(who)
})

test('a user is told from everything else', () => {
  expect(userIdOf('user:12')).toBe(12)
  expect(userIdOf('job:12')).toBeNull()
  expect(userIdOf('user:x')).toBeNull()
})

test('the facts of an entry name children, and leave ids out', () => {
  const entry = {
    event_id: 'e',
    position: '1',
    at: new Date('2026-09-14T05:00:00Z'),
    actor: 'user:7',
    who: null,
    kind: 'order' as const,
    what: 'Plan of {user:7} set',
    amount: null,
    details: { Days: '{student:5}: Monday', Order: '118.2026-09-15.1', Batch: attemptId },
    attempt_id: null,
    order_id: null,
    number: null,
    hash: null,
  }
  expect(marksIn(entry)).toEqual(['user:7', 'user:7', 'student:5'])
  const names = new Map([
    ['user:7', 'mwila'],
    ['student:5', 'Chanda'],
  ])
  expect(withoutIds(historyReply(entry, names, 'Africa/Lusaka'))).toMatchObject({
    who: 'mwila',
    what: 'Plan of mwila set',
    details: { Days: 'Chanda: Monday' },
  })
})
