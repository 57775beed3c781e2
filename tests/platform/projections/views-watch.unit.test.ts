import { viewsPassedChannel, viewsWatch } from '#platform/projections/projector'
import type { Database } from '#platform/database'
import type { Notifications } from '#platform/ports'
import { heardLog } from '../../support/captured-log'

const at = (number: number) => String(number).padStart(20, '0')

const watchWith = (checkpoint = at(0)) => {
  const log = heardLog()
  const sent: string[] = []
  let heard: ((message: string | null) => void) | null = null
  const merges: ((earlier: string, later: string) => string)[] = []
  const notifications: Notifications = {
    subscribe: (channel, hear) => {
      expect(channel).toBe(viewsPassedChannel)
      heard = hear
      return () => undefined
    },
    publisher: (_channel, together) => {
      merges.push(together)
      return (message) => void sent.push(message)
    },
    close: () => Promise.resolve(),
  }
  const pool = { query: async () => ({ rows: [{ position: checkpoint }] }) } as unknown as Database['pool']
  const watch = viewsWatch({ database: { pool }, notifications, log, contexts: ['meals', 'money'] })
  return { watch, log, sent, merge: merges[0]!, deliver: (message: string | null) => heard?.(message) }
}

const settled = async (waiting: Promise<void>) => {
  let done = false
  void waiting.then(() => (done = true))
  await jest.advanceTimersByTimeAsync(0)
  return done
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

const bothPass = ({ onPassed }: ReturnType<typeof watchWith>['watch'], position: string) => {
  onPassed('meals', position)
  onPassed('money', position)
}
const told = (passed: Record<string, string | null>) => JSON.stringify(passed)

test('who waits for a position is woken when the projectors of this process have all passed it', async () => {
  const { watch, sent, log } = watchWith()
  const [early, late] = [watch.waitForViews(at(5)), watch.waitForViews(at(6))]
  watch.onPassed('meals', at(5))
  expect(await settled(early)).toBe(false)
  watch.onPassed('money', at(5))
  expect([await settled(early), await settled(late)]).toEqual([true, false])
  bothPass(watch, at(9))
  expect(await settled(late)).toBe(true)
  expect(sent).toEqual([
    told({ meals: at(5) }),
    told({ money: at(5) }),
    told({ meals: at(9) }),
    told({ money: at(9) }),
  ])
  expect(log.lines).toEqual([])
})

test('a position that was passed before does not wait', async () => {
  const { watch } = watchWith()
  bothPass(watch, at(5))
  expect(await settled(watch.waitForViews(at(5)))).toBe(true)
  expect(await settled(watch.waitForViews(''))).toBe(true)
})

test('a context that fails is not waited for, until it gets on', async () => {
  const { watch, sent } = watchWith()
  watch.onPassed('meals', at(5))
  const waiting = watch.waitForViews(at(5))
  watch.onPassed('money', null)
  expect(await settled(waiting)).toBe(true)
  expect(sent.at(-1)).toBe(told({ money: null }))
  watch.onPassed('money', at(3))
  expect(await settled(watch.waitForViews(at(5)))).toBe(false)
})

test('a message from another process wakes too', async () => {
  const { watch, deliver, sent } = watchWith()
  const waiting = watch.waitForViews(at(5))
  deliver(told({ meals: at(7), money: null }))
  expect(await settled(waiting)).toBe(true)
  expect(sent).toEqual([])
})

test('messages that wait to be sent become one', () => {
  const { merge } = watchWith()
  const merged = merge(told({ meals: at(5), money: at(5) }), told({ money: null }))
  expect(JSON.parse(merged)).toEqual({ meals: at(5), money: null })
})

test('when messages may have been missed the checkpoints are read', async () => {
  const { watch, deliver } = watchWith(at(8))
  const waiting = watch.waitForViews(at(8))
  deliver(null)
  expect(await settled(waiting)).toBe(true)
})

test('a context that fails is not waited for either when messages may have been missed', async () => {
  const { watch, deliver } = watchWith(at(3))
  bothPass(watch, at(8))
  watch.onPassed('money', null)
  deliver(null)
  await jest.advanceTimersByTimeAsync(0)
  expect(await settled(watch.waitForViews(at(8)))).toBe(true)
})

test('after two seconds the answer goes out anyway, and the log says so', async () => {
  const { watch, log } = watchWith()
  const waiting = watch.waitForViews(at(5))
  await jest.advanceTimersByTimeAsync(1_999)
  expect(await settled(waiting)).toBe(false)
  await jest.advanceTimersByTimeAsync(1)
  expect(await settled(waiting)).toBe(true)
  expect(log.lines).toMatchObject([
    { level: 'warn', details: { position: at(5), passed: { meals: '', money: '' } } },
  ])
})

test('closing lets everybody go', async () => {
  const { watch, log } = watchWith()
  const waiting = watch.waitForViews(at(5))
  watch.close()
  expect(await settled(waiting)).toBe(true)
  await jest.advanceTimersByTimeAsync(5_000)
  expect(log.lines).toEqual([])
})
