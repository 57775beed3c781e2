import { attemptIdFor } from '#modules/payments/checkout/free-checkout.job'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { after, mary, monday7 } from '../ordering/lunches'
import { nshimaOn, oneByOne, till } from '../payments/till'

const useCredit = true

describe('crashes between two appends', () => {
  test.each([1, 2, 3, 4, 5])('a free checkout cut off at append %i is ended by the sweep', async (step) => {
    const store = memoryEventStore()
    const dying = till(
      oneByOne((at) => at === step),
      store,
    )
    await dying.gift(9100)
    await dying.place([nshimaOn(2), nshimaOn(3)], 'key-1', mary, useCredit).catch(() => null)
    const living = till(undefined, store)
    living.clock.now = after(monday7, 1)
    await living.sweeps()
    expect((await living.attempt(attemptIdFor(mary, 'key-1'))).status).toBe('fulfilled')
    expect(await living.credit()).toEqual([0, 0])
  })

  test('one whose credit went elsewhere meanwhile is refused, its days free again', async () => {
    const store = memoryEventStore()
    const dying = till(
      oneByOne((at) => at === 1),
      store,
    )
    await dying.gift(4550)
    await dying.place([nshimaOn(2)], 'key-1', mary, useCredit).catch(() => null)
    const living = till(undefined, store)
    await living.place([nshimaOn(3)], 'key-2', mary, useCredit)
    living.clock.now = after(monday7, 1)
    await living.sweeps()
    const attempt = await living.attempt(attemptIdFor(mary, 'key-1'))
    expect(attempt).toMatchObject({ status: 'refused', refused: [{ index: 0, code: 'credit_gone' }] })
    expect(await living.slot(2)).toMatchObject({ status: 'free' })
    expect(await living.credit()).toEqual([0, 0])
  })

  test('credit that was held for meals that are ordered is spent by the sweep', async () => {
    const store = memoryEventStore()
    const school = till(undefined, store)
    await school.gift(1000)
    await school.pay([nshimaOn(2)], { useCredit })
    school.provider.paid('TOKEN-1')
    const dying = till(
      ({ append }) =>
        async (appends) => {
          if (appends.every(({ stream }) => !stream.startsWith('familyCredit-'))) return append(appends)
          await append(appends.filter(({ stream }) => !stream.startsWith('familyCredit-')))
          throw new Error('crash')
        },
      store,
    )
    dying.needs.provider = school.needs.provider
    await dying.settle().catch(() => null)
    await dying.fulfil().catch(() => null)
    expect(await school.credit()).toEqual([0, 1000])
    await school.sweeps()
    expect(await school.credit()).toEqual([0, 0])
  })
})
