import type { RecordedEvent } from '#platform/event-store/event-store'
import { followEvents } from '#platform/projections/follow-events'
import { eventually } from '../../support/eventually'
import { testDatabase, type TestDatabase } from '../../support/postgres'
import {
  type ExampleProcess,
  appendTo,
  numberEvents,
  aMinuteLater,
  exampleProcess,
} from '../../support/projecting'
import { counted, noted, follow } from '../../support/recorded-events'

let schoolDb: TestDatabase
let mine: ExampleProcess
let other: ExampleProcess

beforeEach(async () => {
  schoolDb = await testDatabase()
  mine = await exampleProcess(schoolDb.url)
  other = await exampleProcess(schoolDb.url)
})
afterEach(async () => {
  await mine.close()
  await other.close()
  await schoolDb.close()
})

const numberOf = ({ data }: RecordedEvent) => (data as { number: number }).number

test('it is handed the events of its types one after another, and goes on after a restart', async () => {
  const heard: number[] = []
  const hear = async (event: RecordedEvent) => void heard.push(numberOf(event))
  await appendTo(mine.store, 'tally-1', ...numberEvents(1, 2), noted({ text: 'unheard' }))
  const first = mine.follow('count', [counted.type], hear)
  await eventually(() => heard.length === 2)
  await first.close()
  await appendTo(mine.store, 'tally-1', ...numberEvents(3))
  const second = other.follow('count', [counted.type], hear)
  await eventually(() => heard.length >= 3)
  await second.close()
  expect(heard).toEqual([1, 2, 3])
  expect(second.status()).toMatchObject({ name: 'follower count', active: false, failing: null })
})

test('each name has a checkpoint of its own', async () => {
  const heard: string[] = []
  await appendTo(mine.store, 'tally-1', ...numberEvents(1))
  mine.follow('first', [counted.type], async () => void heard.push('first'))
  mine.follow('second', [counted.type], async () => void heard.push('second'))
  await eventually(() => heard.length === 2)
  expect(heard.toSorted()).toEqual(['first', 'second'])
})

test('a failing event is tried again until it succeeds; what was handled before it is not', async () => {
  const heard: number[] = []
  let failures = 0
  const follower = mine.follow('count', [counted.type], async (event) => {
    if (numberOf(event) === 2 && failures < 2) {
      failures += 1
      throw new Error('the queue is away')
    }
    heard.push(numberOf(event))
  })
  await appendTo(mine.store, 'tally-1', ...numberEvents(1, 2, 3))
  await eventually(() => follower.status().failing === 'Error; see the log')
  await eventually(() => heard.length === 3)
  await eventually(() => follower.status().failing === null)
  expect(heard).toEqual([1, 2, 3])
  expect(failures).toBe(2)
})

test('one that takes all together gets what has come, again with what came since after a failure', async () => {
  const heard: number[][] = []
  let fails = true
  await appendTo(mine.store, 'tally-1', ...numberEvents(1, 2))
  const failing = mine.followAll('count', [counted.type], async (events) => {
    heard.push(events.map(numberOf))
    if (fails) throw new Error('the queue is away')
  })
  await eventually(() => heard.length > 0)
  await failing.close()
  fails = false
  heard.length = 0
  await appendTo(mine.store, 'tally-1', ...numberEvents(3))
  // Until it is settled, a reader is given what stands before it alone.
  const reader = follow(other.store, null)
  await eventually(() => reader.events.length === 3)
  await reader.close()
  const follower = other.followAll('count', [counted.type], async (events) => {
    heard.push(events.map(numberOf))
  })
  await eventually(() => heard.flat().includes(3))
  await follower.close()
  expect(heard).toEqual([[1, 2, 3]])
})

test('while it fails nobody is told to wait for it, at no try', async () => {
  const told: (string | null)[] = []
  let tries = 0
  const name = 'example views'
  const following = followEvents(
    { ...mine, eventStore: mine.store, now: aMinuteLater },
    {
      name,
      batchSize: 1,
      onPassed: (position) => void told.push(position),
      handle: async (events) => {
        tries += 1
        if (tries < 4) throw new Error('the table is away')
        return events.at(-1)!.position
      },
    },
  )
  await appendTo(mine.store, 'tally-1', ...numberEvents(1))
  await eventually(() => tries === 4 && following.status().failing === null)
  await following.close()
  const failed = told.indexOf(null)
  expect(told.slice(failed)).toEqual([null, null, following.status().position])
})

test('of two processes with one name only one is handed events', async () => {
  const heard: string[] = []
  const [first, second] = [mine, other].map((process, index) =>
    process.follow('count', [counted.type], async () => void heard.push(`process ${index}`)),
  )
  await eventually(() => first!.status().active || second!.status().active)
  for (const number of [1, 2, 3]) {
    await appendTo(mine.store, 'tally-1', ...numberEvents(number))
    await eventually(() => heard.length >= number)
  }
  expect(heard).toHaveLength(3)
  expect(new Set(heard).size).toBe(1)
})

test('it rests after a batch that was not full; what comes meanwhile waits, and closing wakes it', async () => {
  const batches: number[][] = []
  await appendTo(mine.store, 'tally-1', ...numberEvents(1, 2, 3))
  const resting = followEvents(
    { ...mine, eventStore: mine.store, now: aMinuteLater },
    {
      name: 'journal',
      batchSize: 2,
      restMs: 60_000,
      handle: async (events) => {
        batches.push(events.map(numberOf))
        return events.at(-1)!.position
      },
    },
  )
  await eventually(() => batches.length === 2)
  await appendTo(mine.store, 'tally-1', ...numberEvents(4))
  await resting.close()
  expect(batches).toEqual([[1, 2], [3]])
})

test('whoever holds a reactor or a journal and does not get on is relieved', async () => {
  for (const name of ['follower count', 'journal']) await mine.locks.tryAcquire(name)
  const heard: number[] = []
  const reactor = other.follow('count', [counted.type], async (event) => void heard.push(numberOf(event)))
  const journal = followEvents(
    { ...other, eventStore: other.store, now: aMinuteLater },
    { name: 'journal', batchSize: 2, handle: async (events) => events.at(-1)!.position },
  )
  await eventually(() => !reactor.status().active)
  const end = await appendTo(mine.store, 'tally-1', ...numberEvents(1, 2))
  await eventually(() => reactor.status().lagMs === 60_000)
  await eventually(() => heard.length === 2 && journal.status().position === end)
  await journal.close()
  expect([heard, reactor.status()]).toMatchObject([[1, 2], { active: true, failing: null, lagMs: 0 }])
})

test('a process whose reactor waits for ever is told of, relieved, and does no harm when it goes on', async () => {
  const heard: string[] = []
  const going: (() => void)[] = []
  const hanging = mine.follow('count', [counted.type], (event) => {
    heard.push(`hanging ${numberOf(event)}`)
    return new Promise((resolve) => void going.push(resolve))
  })
  await eventually(() => hanging.status().active)
  const relieving = other.follow('count', [counted.type], async (event) => {
    heard.push(`relieving ${numberOf(event)}`)
  })
  await appendTo(mine.store, 'tally-1', ...numberEvents(1, 2))
  await eventually(() => heard.length === 3)
  await eventually(() => hanging.status().failing !== null)
  for (const goOn of going) goOn()
  await appendTo(mine.store, 'tally-1', ...numberEvents(3))
  await eventually(() => heard.length === 4 && hanging.status().failing === null)
  expect(heard).toEqual(['hanging 1', 'relieving 1', 'relieving 2', 'relieving 3'])
  expect(relieving.status()).toMatchObject({ active: true, failing: null })
})

const saidOfFailures = () =>
  mine.log.lines.filter(({ message }) => message === 'following the events failed, to be tried again')

test('what the end of a connection breaks for all that follow is said in one line with their number', async () => {
  const followers = ['first', 'second', 'third'].map((name) =>
    mine.follow(name, [counted.type], async () => undefined),
  )
  const allActive = () => eventually(() => followers.every((follower) => follower.status().active))
  await allActive()
  await schoolDb.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tuckshop locks' and datname = current_database()`,
  )
  await eventually(() => saidOfFailures().length > 0)
  await allActive()
  expect(saidOfFailures()).toMatchObject([
    { level: 'warn', details: { err: expect.any(Error), failures: 3 } },
  ])
})

test('a database that is away is one line for all that follow; a fault is said by each with its name', async () => {
  const away = Object.assign(new Error('terminating connection'), { code: '57P01' })
  const left = { first: [away], second: [away], third: [away, new Error('a fault')] }
  const followers = Object.entries(left).map(([name, errors]) =>
    mine.follow(name, [counted.type], async () => {
      const error = errors.shift()
      if (error) throw error
    }),
  )
  await appendTo(mine.store, 'tally-1', ...numberEvents(1))
  await eventually(() => saidOfFailures().length === 2)
  await eventually(() => followers.every((follower) => follower.status().active))
  expect(saidOfFailures().map(({ level, details }) => [level, details.failures ?? details.follower])).toEqual(
    [
      ['error', 'follower third'],
      ['warn', 3],
    ],
  )
})
