import { liveStatuses, recoveryStatuses } from '#contracts/payments-console'
import { subjectOfRefund } from '../../../web/features/payment-history/history-subject'
import { filtersFromAddress, parametersOf } from '../../../web/features/live-orders/live-orders'
import { rowText, statusOnAbandon, statusTones } from '../../../web/features/live-orders/live-text'
import { total } from '../../../web/features/pending-payments/pending-groups'
import {
  asOrdered,
  childChoices,
  isChange,
  charged,
  statusTone,
} from '../../../web/features/recovery/amendments'
import { addressWith, addressWithPage, pageFromAddress } from '../../../web/lib/list-address'
import { attemptLine, failedAttempt } from './sample-payments'

describe('the badge of a recovery status', () => {
  const tones = { red: 'danger', plain: 'info', green: 'brand', quiet: 'neutral' } as const
  test.each([
    ['Processing started', tones.plain],
    ['Recovery in progress', tones.plain],
    ['Payment verification failed', tones.red],
    ['Invalid student IDs provided', tones.quiet],
    ['Cannot create orders for blocked days', tones.quiet],
    ['Failed to create orders during recovery', tones.red],
    ['Orders created successfully', tones.green],
  ] as const)('%s is %s', (status, tone) => expect(statusTone(status)).toBe(tone))

  test('is known for every status there is', () => expect(recoveryStatuses).toHaveLength(7))
})

describe('a live order', () => {
  test('has a colour for every status', () =>
    expect(Object.keys(statusTones).toSorted()).toEqual([...liveStatuses].toSorted()))

  test('says each child, meal, week and day once, in order', () =>
    expect(
      rowText({
        cartItems: [
          attemptLine(0, { weekNumber: 2, dayOfWeek: 5 }),
          attemptLine(1, {
            weekNumber: 1,
            dayOfWeek: 1,
            studentId: 12,
            student: { name: 'Mutinta', grade: '9' },
          }),
          attemptLine(2, { weekNumber: 2, dayOfWeek: 5, menuItem: { id: 2, name: 'Soup', price: 30 } }),
        ],
      }),
    ).toEqual({ students: 'Chanda, Mutinta', items: 'Beef Stew, Soup', weeks: '1, 2', days: 'Mon, Fri' }))

  test('given up with a transaction is abandoned, free without one completed, else impossible', () => {
    expect(statusOnAbandon({ transactionId: 'T', amount: 0 })).toBe('Payment Abandoned')
    expect(statusOnAbandon({ transactionId: null, amount: 0 })).toBe('Orders created successfully')
    expect(statusOnAbandon({ transactionId: null, amount: 1 })).toBeNull()
    expect(statusOnAbandon({ transactionId: '', amount: 1 })).toBeNull()
  })
})

describe('the address', () => {
  test('carries what is written and nothing else', () => {
    const address = addressWith(
      new URLSearchParams('section=live_orders&page=4&day=5'),
      parametersOf({ parent: ' mary ', items: '  ' }),
    )
    expect(address.toString()).toBe('section=live_orders&parent=mary')
    expect(filtersFromAddress(address)).toEqual({ parent: 'mary' })
  })

  test('holds no filter longer than the server compares with', () =>
    expect(filtersFromAddress(new URLSearchParams({ items: 'x'.repeat(200) })).items).toHaveLength(100))

  test.each(['', 'page=0', 'page=-1', 'page=x', 'page=1.5'])('%s is page 1', (search) =>
    expect(pageFromAddress(new URLSearchParams(search))).toBe(1),
  )

  test('leaves the first page unnamed', () => {
    expect(addressWithPage(new URLSearchParams('status=a&page=3'), 1).toString()).toBe('status=a')
    expect(addressWithPage(new URLSearchParams('status=a'), 2).toString()).toBe('status=a&page=2')
  })
})

describe('money', () => {
  test('adds up to the ngwee', () => {
    expect(charged([0.1, 0.2, 40.05].map((price, at) => attemptLine(at, { discountedPrice: price })))).toBe(
      40.35,
    )
    expect(total([{ amount: 0.1 }, { amount: 0.2 }] as Parameters<typeof total>[0])).toBe(0.3)
  })
})

describe('an amendment', () => {
  const line = attemptLine(0)

  test('is a change only when it differs from what was ordered', () => {
    expect(isChange(line, asOrdered(line))).toBe(false)
    expect(isChange(line, { ...asOrdered(line), dayOfWeek: 5 })).toBe(true)
  })

  test('offers the children of the cart where the family is not known', () => {
    const order = failedAttempt({
      cartItems: [line, attemptLine(1, { studentId: 12, student: { name: 'Mutinta', grade: '9' } })],
    })
    expect(childChoices(line, order).map(({ label }) => label)).toEqual([
      'Chanda (as ordered)',
      'Mutinta, Grade 9',
    ])
  })
})

describe('the history of a refund', () => {
  test('is that of its order, or of the attempt of its line', () => {
    expect(subjectOfRefund('118.2026-09-24.1', 't')).toEqual({
      of: 'order',
      id: '118.2026-09-24.1',
      title: 't',
    })
    expect(subjectOfRefund('0199a0b2-0000-7000-8000-000000000001.12', 't')).toMatchObject({
      of: 'attempt',
      id: '0199a0b2-0000-7000-8000-000000000001',
    })
  })
})
