import { Refusal } from '#kernel/refusal'
import { nshima } from '../ordering/lunches'
import { maryAttempt, nshimaOn, till } from './till'

describe("a browser's claims", () => {
  test('"verified" and "failed" move no money', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    expect((await school.advise('verified')).attempt.status).toBe('processing')
    expect((await school.advise('failed')).attempt.status).toBe('processing')
  })
  test('coming back cancels what is unpaid, and fulfils what is paid', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    expect((await school.advise('cancelled')).attempt.status).toBe('cancelled')
    expect((await school.slot(2)).status).toBe('free')
    const paid = till()
    await paid.pay([nshimaOn(2)])
    paid.provider.paid('TOKEN-1')
    expect((await paid.advise('cancelled')).attempt.status).toBe('fulfilled')
  })
  test('items withdrawn before the browser leaves stop the payment', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    await school.confirmItems()
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
    school.school.items = [{ ...nshima, isArchived: true }]
    const refused = (await school.confirmItems().catch((error: unknown) => error)) as Refusal
    expect([refused.code, refused.extra]).toEqual([
      'items_unavailable',
      { archivedItems: ['Nshima with relish'], unavailableItems: [], missingItems: [] },
    ])
    expect((await school.attempt(maryAttempt)).status).toBe('cancelled')
  })
})
