import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allDescriptions } from '#modules/audit/history/entries.view'
import { attemptId, orderId, sample, samples } from './sample-events'

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

test('no detail of any event shows a token, an e-mail address or a phone number', () => {
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
