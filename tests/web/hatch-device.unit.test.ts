import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
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
import { forgetPrivateData } from '../../web/lib/device-storage'
import { servedLunch } from '../support/served-lunch'

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
    expect(waiting.map(({ mark }) => mark.markId)).toEqual([kept, lost, later].map(({ mark }) => mark.markId))
    expect(unkept).toBe(2)
    await settleMarks(
      waiting.map(({ mark }) => mark.markId),
      [],
    )
    expect(await readQueue()).toEqual({ waiting: [], told: [], unkept: 0 })
  })
})
