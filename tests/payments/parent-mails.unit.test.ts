import { ordersOf, type StartedAttempt } from '#modules/payments/attempt/payment-attempt'
import { blockedMail, failedMail, orderedMail } from '#modules/payments/settlement/write-letters.reactor'
import { cycle, zone } from '../ordering/lunches'
import { receipt } from './machine/process'
import { halfBlockedTill, maryAttempt, nshimaOn, till } from './till'

const ordersFor = (school: ReturnType<typeof till>, attempt: StartedAttempt) =>
  school.needs.ordering.orderReplies(
    ordersOf(attempt).map(({ orderId }) => orderId),
    school.clock.now,
  )

describe('what the parent is mailed', () => {
  test('the meals that are ordered, once', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    const { attempt } = await school.settle()
    expect(blockedMail(attempt)).toBeNull()
    expect(orderedMail(attempt, await ordersFor(school, attempt), zone, receipt)).toEqual({
      subject: 'Your meals are ordered',
      text: `We received your payment of K45.50. These meals are ordered:
- Nshima with relish (beef, Cabbage) for Chanda on Tuesday, 15 September 2026: K45.50, can be cancelled until 08:00 on Monday, 14 September 2026

Receipt 2026-000123: https://school.example/receipts/2026-000123
Payment reference: ${attempt.checkout.companyRef}`,
      bareText: `We received your payment of K45.50. These meals are ordered:
- A meal on Tuesday, 15 September 2026: K45.50, can be cancelled until 08:00 on Monday, 14 September 2026

Receipt 2026-000123: https://school.example/receipts/2026-000123
Payment reference: ${attempt.checkout.companyRef}`,
      short: 'K45.50 received. 1 meal (Tue 15 Sept) ordered. Receipt 2026-000123.',
    })
    expect(failedMail(attempt)).toBeNull()
  })
  test('that a declined payment came to nothing', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', { kind: 'declined', code: '901', explanation: 'Declined' })
    const { attempt } = await school.settle()
    expect(failedMail(attempt)).toEqual({
      subject: 'Your meals are not ordered: the payment did not arrive',
      text: `Your card payment was declined, so these meals are not ordered:
- Nshima with relish for Chanda on Tuesday, 15 September 2026

Nothing was paid. You can order them again as long as their days are open.
Payment reference: ${attempt.checkout.companyRef}`,
      bareText: `Your card payment was declined, so these meals are not ordered:
- A meal on Tuesday, 15 September 2026

Nothing was paid. You can order them again as long as their days are open.
Payment reference: ${attempt.checkout.companyRef}`,
      short: 'Your card payment was declined: 1 meal (Tue 15 Sept) not ordered. Nothing was paid.',
    })
  })
  test('the meals that could not be had', async () => {
    const attempt = await (await halfBlockedTill()).attempt(maryAttempt)
    expect(orderedMail(attempt, [], zone, null)).toBeNull()
    const mail = blockedMail(attempt)
    expect(mail?.text).toContain('We received your payment of K91.00. These meals could not be ordered:')
    expect(mail?.text).toMatch(/- Nshima with relish for Chanda on .*: The school is closed on this day/)
    expect(mail?.bareText).toMatch(/- A meal on .*: The school is closed on this day/)
    expect(mail?.bareText).not.toMatch(/Nshima|Chanda/)
  })
  test('and when they are had after all', async () => {
    const school = await halfBlockedTill()
    school.school.cycle = cycle
    const { attempt } = await school.retry()
    expect(orderedMail(attempt, [], zone, null)?.subject).toBe('Your meals are ordered after all')
  })
})
