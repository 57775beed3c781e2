import { viewsPassedChannel, viewsWatch } from '#platform/projections/views-passed'
import type { Database } from '#platform/database'
import type { Notifications } from '#platform/notifications'
import { heardLog } from '../../support/heard-log'

const at = (number: number) => String(number).padStart(20, '0')

const watchWith = (checkpoint = at(0)) => {
  const log = heardLog()
  const sent: string[] = []
  let heard: ((message: string | null) => void) | null = null
  const notifications: Notifications = {
    subscribe: (channel, hear) => {
      expect(channel).toBe(viewsPassedChannel)
      heard = hear
      return () => undefined
    },
    publisher: () => (message) => void sent.push(message),
    close: () => Promise.resolve(),
  }
  const pool = { query: async () => ({ rows: [{ position: checkpoint }] }) } as unknown as Database['pool']
  const watch = viewsWatch({ database: { pool }, notifications, log })
  return { watch, log, sent, deliver: (message: string | null) => heard?.(message) }
}

const settled = async (waiting: Promise<void>) => {
  let done = false
  void waiting.then(() => (done = true))
  await jest.advanceTimersByTimeAsync(0)
  return done
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

test('who waits for a position is woken when the projector of this process passes it', async () => {
  const { watch, sent, log } = watchWith()
  const [early, late] = [watch.waitForViews(at(5)), watch.waitForViews(at(6))]
  watch.onPassed(at(5))
  expect([await settled(early), await settled(late)]).toEqual([true, false])
  watch.onPassed(at(9))
  expect(await settled(late)).toBe(true)
  expect(sent).toEqual([at(5), at(9)])
  expect(log.lines).toEqual([])
})

test('a position that was passed before does not wait', async () => {
  const { watch } = watchWith()
  watch.onPassed(at(5))
  expect(await settled(watch.waitForViews(at(5)))).toBe(true)
  expect(await settled(watch.waitForViews(''))).toBe(true)
})

test('a notice from another process wakes too', async () => {
  const { watch, deliver, sent } = watchWith()
  const waiting = watch.waitForViews(at(5))
  deliver(at(7))
  expect(await settled(waiting)).toBe(true)
  expect(sent).toEqual([])
})

test('when notifications may have been missed the checkpoint is read', async () => {
  const { watch, deliver } = watchWith(at(8))
  const waiting = watch.waitForViews(at(8))
  deliver(null)
  expect(await settled(waiting)).toBe(true)
})

test('after two seconds the answer goes out anyway, and the log says so', async () => {
  const { watch, log } = watchWith()
  const waiting = watch.waitForViews(at(5))
  await jest.advanceTimersByTimeAsync(1_999)
  expect(await settled(waiting)).toBe(false)
  await jest.advanceTimersByTimeAsync(1)
  expect(await settled(waiting)).toBe(true)
  expect(log.lines).toMatchObject([{ level: 'warn', details: { position: at(5), passed: '' } }])
})

test('closing lets everybody go', async () => {
  const { watch, log } = watchWith()
  const waiting = watch.waitForViews(at(5))
  watch.close()
  expect(await settled(waiting)).toBe(true)
  await jest.advanceTimersByTimeAsync(5_000)
  expect(log.lines).toEqual([])
})
