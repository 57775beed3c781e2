import { Refusal } from '#kernel/refusal'
import { ledgerOf } from '#modules/payments/attempt/payment-attempt'
import { amendmentsOf, recoveryOutcome } from '#modules/payments/settlement/recovery.commands'
import { after, bupe, cycle, monday7, nshima, stew } from '../ordering/lunches'
import { atBank, declined, unpaid, unreachable } from './machine/bank'
import { halfBlockedTill, maryAttempt, nshimaOn, till } from './till'

const codeOf = async (doing: Promise<unknown>) => {
  const outcome = await doing.catch((error: unknown) => error)
  if (!(outcome instanceof Refusal)) throw new Error(`Not refused: ${JSON.stringify(outcome)}`)
  return outcome.code
}

const to = (change: Partial<Parameters<typeof nshimaOn>[1] & object>) => ({
  menuItemId: nshima.id,
  studentId: nshimaOn(3).studentId,
  weekNumber: 1,
  dayOfWeek: 3,
  category: 'beef',
  sideDish: 'Cabbage',
  ...change,
})

describe('retry', () => {
  test('of a payment that is being processed asks the provider and changes no meal', async () => {
    const school = till()
    await school.pay([nshimaOn(2), nshimaOn(3)])
    school.provider.answers('TOKEN-1', atBank)
    await school.settle()
    expect(await codeOf(school.retry([{ index: 1, to: to({ dayOfWeek: 4 }) }]))).toBe('line_not_amendable')
    const asked = school.provider.asked.looks
    expect((await school.retry([{ index: 1, to: to({}) }])).attempt.status).toBe('processing')
    expect(school.provider.asked.looks).toBe(asked + 1)
    school.provider.paid('TOKEN-1')
    expect((await school.retry()).attempt.status).toBe('fulfilled')
  })
  test('once the day is open again, the line is ordered', async () => {
    const school = await halfBlockedTill()
    expect((await school.retry()).attempt.status).toBe('blocked')
    school.school.cycle = cycle
    expect((await school.retry()).attempt).toMatchObject({ status: 'fulfilled', hadProblem: true })
    expect(await school.slot(3)).toMatchObject({ status: 'ordered' })
  })
  test('moved to another day it is ordered there, at the price that was paid', async () => {
    const school = await halfBlockedTill()
    school.school.items = [{ ...nshima, price: 4000 }]
    const { attempt } = await school.retry([{ index: 1, to: to({ dayOfWeek: 4 }) }])
    expect(attempt.status).toBe('fulfilled')
    expect(attempt.checkout.lines[1]).toMatchObject({ price: 4550, mealDate: '2026-09-17' })
    expect(ledgerOf(attempt)).toMatchObject({ received: 9100, ordered: 9100 })
    expect((await school.slot(4)).status).toBe('ordered')
  })
  test('a withdrawn item may be kept when only the day moves', async () => {
    const school = await halfBlockedTill()
    school.school.items = [{ ...nshima, isArchived: true, isAvailable: false }]
    expect((await school.retry([{ index: 1, to: to({ dayOfWeek: 4 }) }])).attempt.status).toBe('fulfilled')
  })
  test('a foreign student, a dearer item, a line that is ordered and one that never was are refused', async () => {
    const school = await halfBlockedTill()
    const refusedFor = (index: number, change: object) => codeOf(school.retry([{ index, to: to(change) }]))
    expect(await refusedFor(1, { studentId: 999 })).toBe('lines_refused')
    school.school.items = [nshima, { ...stew, price: 5000 }]
    expect(await refusedFor(1, { menuItemId: stew.id, studentId: bupe.id, dayOfWeek: 4 })).toBe(
      'price_above_paid',
    )
    expect(await refusedFor(0, { dayOfWeek: 4 })).toBe('line_not_amendable')
    expect(await refusedFor(2, { dayOfWeek: 4 })).toBe('line_not_amendable')
    expect((await school.attempt(maryAttempt)).status).toBe('blocked')
  })
  test('the line as it is, is no amendment', async () => {
    const school = await halfBlockedTill()
    school.school.cycle = cycle
    expect((await school.retry([{ index: 1, to: to({}) }])).attempt.amended).toEqual([])
  })
  test('of a declined payment asks the provider first', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    expect((await school.retry()).attempt.status).toBe('declined')
    school.provider.answers('TOKEN-1', unpaid)
    expect((await school.retry()).attempt.status).toBe('declined')
    school.provider.paid('TOKEN-1')
    expect((await school.retry()).attempt.status).toBe('fulfilled')
  })
  test('of one that never got a token ends where it began', async () => {
    const school = till()
    school.provider.mood.creates = unreachable
    await codeOf(school.pay([nshimaOn(2)]))
    expect((await school.retry()).attempt.status).toBe('create_failed')
  })
  test('a second while the first holds the lease is refused; a lost lease goes back', async () => {
    const school = await halfBlockedTill()
    school.school.cycle = cycle
    school.school.isBroken = true
    const dying = school.needs.ordering.mealsOf
    school.needs.ordering.mealsOf = async () => Promise.reject(new Error('gone'))
    await expect(school.retry([{ index: 1, to: to({ dayOfWeek: 4 }) }])).rejects.toThrow('gone')
    school.needs.ordering.mealsOf = dying
    school.school.isBroken = false
    const append = school.needs.eventStore.append
    let appends = 0
    school.needs.eventStore.append = async (...all) => {
      appends += 1
      if (appends > 1) throw new Error('killed')
      return append(...all)
    }
    await expect(school.retry()).rejects.toThrow('killed')
    school.needs.eventStore.append = append
    expect((await school.attempt(maryAttempt)).status).toBe('recovering')
    expect(await codeOf(school.retry())).toBe('recovery_in_progress')
    await school.endLostRecovery()
    expect((await school.attempt(maryAttempt)).status).toBe('recovering')
    school.clock.now = after(monday7, 1)
    await school.endLostRecovery()
    expect((await school.attempt(maryAttempt)).status).toBe('blocked')
    expect((await school.retry()).attempt.status).toBe('fulfilled')
  })
})

describe('which line a sent meal means', () => {
  test('the one of its index, or of its place', async () => {
    const attempt = await (await halfBlockedTill()).attempt(maryAttempt)
    const meal = to({})
    expect(amendmentsOf(attempt, [{ ...meal, index: 1 }]).map(({ index }) => index)).toEqual([1])
    expect(amendmentsOf(attempt, [meal, meal]).map(({ index }) => index)).toEqual([1])
    expect(amendmentsOf(attempt, [meal]).map(({ index }) => index)).toEqual([1])
  })
})

describe('waive', () => {
  test('what is not ordered is owed back', async () => {
    const school = await halfBlockedTill()
    const { attempt } = await school.waive()
    expect(attempt.status).toBe('refund_due')
    expect(ledgerOf(attempt)).toMatchObject({ ordered: 4550, owed: 4550, held: 0 })
    expect((await school.waive()).attempt.status).toBe('refund_due')
  })
  test('a review gives back its days', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1', { reference: null })
    await school.settle()
    await school.waive()
    expect((await school.slot(2)).status).toBe('free')
  })
  test('not while a crash hides that a meal is ordered after all', async () => {
    const killed = new Error('killed')
    // The meal is ordered, and the process dies before the payment knows.
    const school = till((store) => {
      let appends = 0
      return async (all) => {
        let last = ''
        for (const one of all) {
          appends += 1
          if (appends === 6) throw killed
          last = await store.append([one])
        }
        return last
      }
    })
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    await school.settle()
    expect((await school.slot(2)).status).toBe('ordered')
    school.school.isBroken = true
    for (let fault = 1; fault < 5; fault += 1) await expect(school.fulfil()).rejects.toThrow('database away')
    expect((await school.attempt(maryAttempt)).status).toBe('blocked')
    school.school.isBroken = false
    expect(await codeOf(school.waive())).toBe('orders_found')
  })
  test('not of what is fulfilled', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    await school.settle()
    expect(await codeOf(school.waive())).toBe('nothing_to_waive')
    expect(await codeOf(school.accept())).toBe('nothing_to_accept')
  })
})

describe('abandon', () => {
  test('what is paid after all is fulfilled, and the abandoning refused', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    await school.settle()
    school.provider.paid('TOKEN-1')
    school.provider.mood.isDeaf = true
    expect(await codeOf(school.abandon())).toBe('attempt_paid')
    expect((await school.attempt(maryAttempt)).status).toBe('fulfilled')
    // The refusal comes when the orders can be seen.
    expect(school.written.upTo).toBe((await school.store.end()).position)
  })
  test('a token that cannot be cancelled is abandoned all the same', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    await school.settle()
    school.provider.cancels('TOKEN-1', { kind: 'unreachable', why: 'timeout', detail: null })
    expect((await school.abandon()).attempt.status).toBe('abandoned')
  })
  test('not before anybody has looked', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    expect(await codeOf(school.abandon())).toBe('not_processing')
  })
})

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
