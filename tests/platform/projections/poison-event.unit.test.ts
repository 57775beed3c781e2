import { naming, PoisonEvent, publicErrorText } from '#platform/failures'

const event = { stream: 'paymentAttempt-1', revision: 3, type: 'payments.checkout-started.v1' }

test('an event that cannot be taken in is named by its stream and number, where anybody may read it', () => {
  const cause = new TypeError('the total of Mary Banda is no number')
  const act = () => {
    throw cause
  }
  expect(() => naming(event, act)).toThrow(
    'event 3 of stream paymentAttempt-1 (payments.checkout-started.v1) cannot be taken in',
  )
  expect(publicErrorText(new PoisonEvent(event, cause))).toBe(
    'event 3 of stream paymentAttempt-1 (payments.checkout-started.v1) cannot be taken in; see the log',
  )
})

test('what goes well is answered', () => expect(naming(event, () => 7)).toBe(7))
