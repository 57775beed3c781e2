import { recoveryOutcome } from '#modules/payments/console/recovery.commands'
import { cycle, nshima } from '../ordering/lunches'
import { atBank, declined, unpaid, unreachable } from './machine/bank'
import { nshimaOn, till } from './till'

type School = ReturnType<typeof till>
const outcomeAt = async (school: School) => {
  const { attempt, verdict } = await school.retry()
  return recoveryOutcome(attempt, verdict)
}
const declinedTill = async () => {
  const school = till()
  await school.pay([nshimaOn(2)])
  school.provider.answers('TOKEN-1', declined)
  await school.settle()
  return school
}
const processingTill = async () => {
  const school = till()
  await school.pay([nshimaOn(2)])
  school.provider.answers('TOKEN-1', atBank)
  await school.settle()
  return school
}
const payAnew = 'The parent can order and pay again.'

describe('what is told of a retry', () => {
  test('where processing has started it asks again: paid it is a success', async () => {
    const school = await processingTill()
    school.provider.paid('TOKEN-1')
    expect(await outcomeAt(school)).toEqual({
      success: true,
      status: 'Orders created successfully',
      message: 'Order recovery initiated successfully',
    })
  })

  test.each([
    [
      'not paid yet',
      atBank,
      'The payment is not confirmed, so nothing was ordered. Retry later; if it stays so, the parent can order and pay again.',
    ],
    [
      'not to be reached',
      unreachable,
      'The card provider could not be asked, so nothing was changed. Retry in a few minutes.',
    ],
  ])(
    'where processing has started and the provider is %s nothing changes',
    async (_name, answer, message) => {
      const school = await processingTill()
      school.provider.answers('TOKEN-1', answer)
      expect(await outcomeAt(school)).toEqual({ success: false, status: 'Processing started', message })
    },
  )

  test('orders that were made are a success', async () => {
    const school = await declinedTill()
    school.provider.paid('TOKEN-1')
    expect(await outcomeAt(school)).toEqual({
      success: true,
      status: 'Orders created successfully',
      message: 'Order recovery initiated successfully',
    })
  })

  test('a payment that is declined still made nothing, and the parent can pay again', async () => {
    expect(await outcomeAt(await declinedTill())).toEqual({
      success: false,
      status: 'Payment verification failed',
      message: `The payment was declined: nothing was paid and nothing ordered. ${payAnew}`,
    })
  })

  test('one that is not paid yet may still be', async () => {
    const school = await declinedTill()
    const { message: declinedWords } = await outcomeAt(school)
    for (const answer of [unpaid, atBank]) {
      school.provider.answers('TOKEN-1', answer)
      expect(await outcomeAt(school)).toEqual({
        success: false,
        status: 'Payment verification failed',
        message:
          'The payment is not confirmed, so nothing was ordered. Retry later; if it stays so, the parent can order and pay again.',
      })
    }
    expect(declinedWords).not.toContain('not confirmed')
  })

  test('a provider that could not be asked changed nothing', async () => {
    const school = await declinedTill()
    school.provider.answers('TOKEN-1', unreachable)
    expect(await outcomeAt(school)).toEqual({
      success: false,
      status: 'Payment verification failed',
      message: 'The card provider could not be asked, so nothing was changed. Retry in a few minutes.',
    })
  })

  test('a payment that was never begun has no money', async () => {
    const school = till()
    school.provider.mood.creates = unreachable
    await school.pay([nshimaOn(2)]).catch(() => undefined)
    expect(await outcomeAt(school)).toEqual({
      success: false,
      status: 'Payment verification failed',
      message: `The payment was never begun: nothing was paid and nothing ordered. ${payAnew}`,
    })
  })

  test('a payment that does not match waits for a person', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1', { transaction: { amount: 100, currency: 'ZMW' } })
    await school.settle()
    expect(await outcomeAt(school)).toEqual({
      success: false,
      status: 'Payment verification failed',
      message:
        'The payment does not match what was asked for. Accept it or give the money back under Order Recovery.',
    })
  })

  test('a meal that is held because it was withdrawn is ordered by another retry', async () => {
    const school = till(undefined, undefined, 'hold')
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    school.provider.paid('TOKEN-1')
    school.school.items = [{ ...nshima, isAvailable: false }]
    expect(await outcomeAt(school)).toEqual({
      success: false,
      status: 'Failed to create orders during recovery',
      message:
        '1 of 1 meal could not be ordered: This meal was taken off the menu after it was paid for. Retry to order it all the same, change it, or give the money back, under Order Recovery.',
    })
    expect(await outcomeAt(school)).toMatchObject({ success: true })
  })

  test('meals that cannot be ordered say how many, why, and the ways out', async () => {
    const school = till()
    await school.pay([nshimaOn(2), nshimaOn(3)])
    school.provider.paid('TOKEN-1')
    school.school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 3 }] }
    await school.settle()
    expect(await outcomeAt(school)).toEqual({
      success: false,
      status: 'Cannot create orders for blocked days',
      message:
        '1 of 2 meals could not be ordered: The school is closed on this day. Change it and retry, or give the money back, under Order Recovery.',
    })
  })
})
