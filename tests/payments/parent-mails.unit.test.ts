import { blockedMail, orderedMail } from '#modules/payments/settlement/settle-payment.job'
import { cycle } from '../ordering/lunches'
import { halfBlockedTill, maryAttempt, nshimaOn, till } from './till'

describe('what the parent is mailed', () => {
  test('the meals that are ordered, once', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    const { attempt } = await school.settle()
    expect(blockedMail(attempt)).toBeNull()
    expect(orderedMail(attempt)).toMatchObject({
      subject: 'Your meals are ordered',
      text: expect.stringContaining('- Nshima with relish for Chanda on Tuesday, 15 September 2026'),
    })
  })
  test('the meals that could not be had', async () => {
    const attempt = await (await halfBlockedTill()).attempt(maryAttempt)
    expect(orderedMail(attempt)).toBeNull()
    expect(blockedMail(attempt)?.text).toContain('The school is closed on this day')
  })
  test('and when they are had after all', async () => {
    const school = await halfBlockedTill()
    school.school.cycle = cycle
    const { attempt } = await school.retry()
    expect(orderedMail(attempt)?.subject).toBe('Your meals are ordered after all')
  })
})
