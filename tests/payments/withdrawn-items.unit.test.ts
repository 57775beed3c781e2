import { recoveryError, recoveryStatus } from '#modules/payments/console/labels'
import { ledgerOf } from '#modules/payments/attempt/payment-attempt'
import { after, cycle, monday7, nshima } from '../ordering/lunches'
import { nshimaOn, till } from './till'

const holdingTill = () => till(undefined, undefined, 'hold')
const withdrawn = async () => {
  const school = holdingTill()
  await school.pay([nshimaOn(2)])
  school.provider.paid('TOKEN-1')
  school.school.items = [{ ...nshima, isArchived: true }]
  return school
}

/** payments.md section 8 rule 1, for a school that holds. */
describe('an item that was withdrawn after it was paid for', () => {
  test('blocks its line, and the money is held', async () => {
    const school = await withdrawn()
    const { attempt } = await school.settle()
    expect(attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'item_withdrawn' }])
    expect(recoveryStatus(attempt)).toBe('Failed to create orders during recovery')
    expect(recoveryError(attempt)).toBe('This meal was taken off the menu after it was paid for')
    expect(ledgerOf(attempt)).toMatchObject({ received: 4550, ordered: 0 })
  })
  test('holds up no other line', async () => {
    const school = holdingTill()
    const soup = { ...nshima, id: 5 }
    school.school.items = [nshima, soup]
    await school.pay([nshimaOn(3), nshimaOn(4, { menuItemId: soup.id })])
    school.provider.paid('TOKEN-1')
    school.school.items = [nshima, { ...soup, isAvailable: false }]
    const { attempt } = await school.settle()
    expect(attempt.outcomes.map((outcome) => outcome.kind)).toEqual(['ordered', 'blocked'])
  })
  test('is ordered at the price that was paid once a person retries', async () => {
    const school = await withdrawn()
    await school.settle()
    const { attempt } = await school.retry()
    expect(attempt).toMatchObject({ status: 'fulfilled', hadProblem: true })
    expect(ledgerOf(attempt)).toMatchObject({ received: 4550, ordered: 4550 })
  })
  test('is ordered on the day to which a person moves it', async () => {
    const school = await withdrawn()
    await school.settle()
    const { attempt } = await school.retry([{ index: 0, to: nshimaOn(4) }])
    expect(attempt.status).toBe('fulfilled')
    expect((await school.slot(4)).status).toBe('ordered')
  })
  test('is owed back once a person waives it', async () => {
    const school = await withdrawn()
    await school.settle()
    const { attempt } = await school.waive()
    expect(attempt.status).toBe('refund_due')
    expect(ledgerOf(attempt)).toMatchObject({ received: 4550, owed: 4550 })
  })
  test('waits also where a retry was for another reason: nobody has judged it yet', async () => {
    const school = await withdrawn()
    school.school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 2 }] }
    expect((await school.settle()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'day_blocked' }])
    school.school.cycle = cycle
    expect((await school.retry()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'item_withdrawn' }])
    expect((await school.retry()).attempt.status).toBe('fulfilled')
  })
  test('is ordered without more where it is offered again in time', async () => {
    const school = await withdrawn()
    school.school.items = [nshima]
    expect((await school.settle()).attempt.status).toBe('fulfilled')
  })
  test('that is late too is shown as late', async () => {
    const school = holdingTill()
    await school.pay([nshimaOn(1)])
    school.provider.paid('TOKEN-1')
    school.school.items = [{ ...nshima, isAvailable: false }]
    school.clock.now = after(monday7, 76)
    expect((await school.settle()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'cutoff_passed' }])
  })
})
