import { IDBFactory } from 'fake-indexeddb'
import type { Order } from '#contracts/ordering'
import {
  changeLunches,
  confirmList,
  hatchUserOnDevice,
  keepList,
  listOnDevice,
  dismissNotices,
  queueMark,
  readQueue,
  settleMarks,
  type DeviceList,
  type WaitingMark,
} from '../../web/features/hatch/device/device-store'
import { groupOrders, spentOn } from '../../web/features/orders/order-history'
import { CallError, messageOf } from '../../web/lib/call'
import { forgetPrivateData } from '../../web/lib/device-storage'
import {
  capitalised,
  clockTime,
  counted,
  dateRange,
  dayAndMonth,
  gradeLabel,
  kwacha,
  longDate,
  longDay,
} from '../../web/lib/format'
import 'fake-indexeddb/auto'
import { dateAndTime, schoolClock, schoolDate, schoolDay, setSchoolZone } from '../../web/lib/school-moment'
import { servedLunch } from '../support/served-lunch'
import { order } from './sample-family'

test('the names of proteins and sides begin with a capital, as the menu writes them', () => {
  expect(['beef', 'Nshima', 'peri-peri goat', ''].map(capitalised)).toEqual([
    'Beef',
    'Nshima',
    'Peri-peri goat',
    '',
  ])
})

describe('an error', () => {
  const body = JSON.stringify({ message: 'No soup', error: 'No soup', code: 'no_soup' })
  test('is status and text from 500 on, status and body below', () => {
    expect(new CallError(503, 'Service Unavailable', body).message).toBe('503: Service Unavailable')
    expect(new CallError(409, 'Conflict', 'plain words').message).toBe('409: plain words')
  })
  test('keeps what the server said', () => {
    const error = new CallError(409, 'Conflict', body)
    expect([error.code, messageOf(error, 'Failed')]).toEqual(['no_soup', 'No soup'])
  })
  test('has its own words for no words and for no answer', () => {
    expect(messageOf(new CallError(502, '', '<html>'), 'Failed', 'Unanswered')).toBe('Failed')
    expect(messageOf(new TypeError('network'), 'Failed', 'Unanswered')).toBe('Unanswered')
  })
})

test('money', () => {
  expect([kwacha(45), kwacha('1234.5'), kwacha(0)]).toEqual(['K45.00', 'K1,234.50', 'K0.00'])
})

test('dates are written out', () => {
  expect(longDay('2026-09-16')).toBe('Wednesday, 16 September 2026')
  expect(longDate('2026-09-16')).toBe('16 September 2026')
  expect(dayAndMonth('2026-09-16')).toBe('16 September')
  expect(dateRange('2026-09-14', '2026-09-18')).toBe('14 – 18 September 2026')
  expect(dateRange('2026-09-28', '2026-10-02')).toBe('28 September – 2 October 2026')
  expect(longDate('nonsense')).toBe('Invalid date')
})

describe("times are the school's", () => {
  afterEach(() => setSchoolZone('Africa/Lusaka'))
  const late = '2026-09-16T22:30:00.000Z'
  const inAllWords = () => [dateAndTime(late), schoolDay(late), schoolClock(late), schoolDate(late)]

  test('in Lusaka', () => {
    expect(inAllWords()).toEqual(['17 September 2026 at 00:30', '17 Sep 2026', '00:30', '2026-09-17'])
  })
  test('in the zone that the server names', () => {
    setSchoolZone('Africa/Accra')
    expect(inAllWords()).toEqual(['16 September 2026 at 22:30', '16 Sep 2026', '22:30', '2026-09-16'])
  })
  test("where the browser knows no such zone the device's own are better than none", () => {
    setSchoolZone('Mars/Base')
    const device = new Intl.DateTimeFormat('sv-SE').format(new Date(late))
    expect(schoolDate(late)).toBe(device)
  })
  test('a wall clock', () => {
    expect(clockTime(8, 5)).toBe('08:05')
    expect(dateAndTime('nonsense')).toBe('Invalid date')
  })
})

test('words', () => {
  expect([counted(1, 'meal'), counted(2, 'meal')]).toEqual(['1 meal', '2 meals'])
  expect(counted(30344, 'order')).toBe('30,344 orders')
  expect([gradeLabel('ELC'), gradeLabel('teacher')]).toEqual(['Grade ELC', 'Staff Account'])
})

const of = (studentId: number, name: string, grade: Order['student']['grade']) =>
  order({ studentId, student: { name, grade } })

test('children stand in the order of their registration, a staff account after them', () => {
  const groups = groupOrders([of(1, 'Mrs Mwila', 'teacher'), of(9, 'Bwalya', '8'), of(4, 'Chanda', '3')])
  expect(groups.map(({ name }) => name)).toEqual(['Chanda', 'Bwalya', 'Mrs Mwila'])
})

test('a student has the name and grade of the newest order', () => {
  const before = order({ orderDate: '2026-01-05T06:00:00.000Z', student: { name: 'Chanda', grade: '2' } })
  expect(groupOrders([before, order()])[0]).toMatchObject({ name: 'Chanda', grade: '3' })
})

test('the order placed last names the group; of those placed together the latest meal', () => {
  const [group] = groupOrders([
    order({ id: 'monday', mealDate: '2026-09-14' }),
    order({ id: 'old', orderDate: '2026-09-01T06:00:00.000Z', mealDate: '2026-09-18' }),
    order({ id: 'wednesday', mealDate: '2026-09-16' }),
  ])
  expect(group?.orders.map(({ id }) => id)).toEqual(['wednesday', 'monday', 'old'])
})

test.each<[string, Partial<Order>, number]>([
  ['pending', { status: 'pending' }, 45],
  ['completed', { status: 'completed' }, 45],
  ['waiting for its payment', { paymentStatus: 'pending' }, 45],
  ['discounted', { discountedPrice: 36.5 }, 36.5],
  ['cancelled', { status: 'cancelled' }, 0],
  ['refunded', { status: 'refunded' }, 0],
  ['not paid for', { paymentStatus: 'failed' }, 0],
])('an order that is %s', (_what, more, spent) => {
  expect(spentOn([order(more)])).toBe(spent)
})

test('ngwee are added without losing any', () => {
  expect(spentOn(Array.from({ length: 3 }, () => order({ discountedPrice: 0.1 })))).toBe(0.3)
})

describe('the hatch device', () => {
  const hour = 3_600_000
  const grace = { id: 2, name: 'Grace' }
  const mary = { id: 3, name: 'Mary' }
  const readAt = Date.parse('2026-11-24T09:00:00.000Z')

  const chipo = servedLunch('2026-11-24', 1, 'Chipo Banda')
  const list = (more: Partial<DeviceList> = {}): DeviceList => ({
    date: '2026-11-24',
    at: null,
    lunches: [chipo],
    source: { user: grace, readAt, timeZone: 'Africa/Lusaka', aheadMs: 0 },
    ...more,
  })

  let nextMark = 0
  const given = (user = grace): WaitingMark => {
    nextMark += 1
    const markId = `00000000-0000-4000-8000-${String(nextMark).padStart(12, '0')}`
    return { user, mark: { markId, orderId: chipo.orderId, kind: 'given', at: '2026-11-24T10:00:00.000Z' } }
  }
  const waitingIds = async () => (await readQueue()).waiting.map(({ mark }) => mark.markId)

  beforeEach(() => {
    globalThis.indexedDB = new IDBFactory()
  })

  describe('the list of the day', () => {
    test('is there again for whom it was read, and says whose it is', async () => {
      await keepList(list())
      expect(await listOnDevice(grace.id, readAt + hour, null)).toEqual(list())
      expect(await hatchUserOnDevice(readAt + hour)).toEqual(grace)
    })

    test('is not on a device that never had one', async () => {
      expect(await listOnDevice(grace.id, readAt, null)).toBeNull()
      expect(await hatchUserOnDevice(readAt)).toBeNull()
    })

    test('is kept for 36 hours after the server last said that it is what it is', async () => {
      await keepList(list())
      await confirmList({ ...list().source, readAt: readAt + hour })
      expect(await hatchUserOnDevice(readAt + 37 * hour)).toEqual(grace)
      expect(await listOnDevice(grace.id, readAt + 37 * hour, null)).not.toBeNull()
      expect(await listOnDevice(grace.id, readAt + 37 * hour + 1, null)).toBeNull()
      expect(await listOnDevice(grace.id, readAt, null)).toBeNull()
    })

    test('is removed, and not only hidden, once it is too old, also by a clock that was set back', async () => {
      await keepList(list())
      expect(await hatchUserOnDevice(readAt + 36 * hour + 1)).toBeNull()
      expect(await listOnDevice(grace.id, readAt, null)).toBeNull()
      await keepList(list())
      expect(await hatchUserOnDevice(readAt - 37 * hour)).toBeNull()
      expect(await listOnDevice(grace.id, readAt, null)).toBeNull()
    })

    test('gives way to that of a later day', async () => {
      await keepList(list())
      await keepList(list({ date: '2026-11-25', lunches: [] }))
      expect(await listOnDevice(grace.id, readAt, null)).toMatchObject({ date: '2026-11-25', lunches: [] })
    })

    test('is removed at an opening of which the server says that it is a later day', async () => {
      await keepList(list())
      expect(await listOnDevice(grace.id, readAt + hour, '2026-11-24')).not.toBeNull()
      expect(await listOnDevice(grace.id, readAt + hour, '2026-11-25')).toBeNull()
      expect(await hatchUserOnDevice(readAt)).toBeNull()
    })

    test('is removed by another user who opens the hatch', async () => {
      await keepList(list())
      expect(await listOnDevice(mary.id, readAt, null)).toBeNull()
      expect(await listOnDevice(grace.id, readAt, null)).toBeNull()
    })

    test('is removed alone: what waits to be sent stays', async () => {
      await keepList(list())
      const mark = given()
      await queueMark(mark)
      await forgetPrivateData()
      expect(await hatchUserOnDevice(readAt)).toBeNull()
      expect(await waitingIds()).toEqual([mark.mark.markId])
    })

    test('takes over what the server said of a lunch', async () => {
      await keepList(list())
      await changeLunches(grace.id, (lunch) => ({ ...lunch, absent: true }))
      expect((await listOnDevice(grace.id, readAt, null))?.lunches).toEqual([{ ...chipo, absent: true }])
    })
  })

  describe('the queue of marks', () => {
    test('keeps them in the order in which they were made, whosever they are', async () => {
      const made = [given(), given(mary), given()]
      for (const one of made) await queueMark(one)
      const { waiting } = await readQueue()
      expect(waiting.map(({ mark }) => mark)).toEqual(made.map(({ mark }) => mark))
      expect(waiting.map(({ user }) => user.name)).toEqual(['Grace', 'Mary', 'Grace'])
    })

    test('loses only what was answered, and keeps what is to be told until it is put away', async () => {
      const [first, second] = [given(), given()]
      await queueMark(first)
      await queueMark(second)
      const told = {
        markId: first.mark.markId,
        result: 'refused' as const,
        code: 'order_cancelled',
        other: null,
        userId: grace.id,
        orderId: chipo.orderId,
        kind: 'given' as const,
        message: null,
      }
      await settleMarks([first.mark.markId], [told])
      expect(await waitingIds()).toEqual([second.mark.markId])
      expect((await readQueue()).told).toEqual([told])
      await dismissNotices(mary.id)
      expect((await readQueue()).told).toHaveLength(1)
      await dismissNotices(grace.id)
      expect((await readQueue()).told).toEqual([])
    })

    test('goes on in memory where the device has no room, and says so', async () => {
      const [kept, lost, later] = [given(), given(), given()]
      await queueMark(kept)
      const full = indexedDB
      globalThis.indexedDB = {
        open: () => {
          throw new DOMException('no room', 'QuotaExceededError')
        },
      } as never
      const writing = queueMark(lost)
      expect((await readQueue()).waiting.map(({ mark }) => mark.markId)).toEqual([lost.mark.markId])
      await writing
      globalThis.indexedDB = full
      await queueMark(later)
      const { waiting, unkept } = await readQueue()
      expect(waiting.map(({ mark }) => mark.markId)).toEqual(
        [kept, lost, later].map(({ mark }) => mark.markId),
      )
      expect(unkept).toBe(2)
      await settleMarks(
        waiting.map(({ mark }) => mark.markId),
        [],
      )
      expect(await readQueue()).toEqual({ waiting: [], told: [], unkept: 0 })
    })
  })
})
