import { postgresNotifications } from '../../src/adapters/postgres/notifications'
import type { Notifications } from '#platform/ports'
import { eventually } from '../support/eventually'
import { heardLog } from '../support/captured-log'
import { testDatabase, type TestDatabase } from '../support/postgres'

let schoolDb: TestDatabase
let mine: Notifications
let other: Notifications
const log = heardLog()

beforeAll(async () => {
  schoolDb = await testDatabase()
  mine = postgresNotifications({ pool: schoolDb.database.pool, log })
  other = postgresNotifications({ pool: schoolDb.database.pool, log })
})
afterAll(async () => {
  await mine.close()
  await other.close()
  await schoolDb.close()
})

const listening = async (notifications: Notifications, channel: string) => {
  const heard: (string | null)[] = []
  const stop = notifications.subscribe(channel, (message) => heard.push(message))
  await eventually(() => heard.length > 0)
  return { heard, stop }
}

test('others hear a message, the sender does not', async () => {
  const [here, there] = [await listening(mine, 'bell'), await listening(other, 'bell')]
  mine.publisher('bell', (_, later) => later)('lunch is ready')
  await eventually(() => there.heard.length === 2)
  other.publisher('bell', (_, later) => later)('')
  await eventually(() => here.heard.length === 2)
  expect(there.heard).toEqual([null, 'lunch is ready'])
  expect(here.heard).toEqual([null, ''])
})

test('messages that come close together travel as one', async () => {
  const [sums, others] = [await listening(other, 'sums'), await listening(other, 'others')]
  const rested = postgresNotifications({ pool: schoolDb.database.pool, log })
  const add = rested.publisher('sums', (waiting, more) => `${waiting}+${more}`)
  for (const number of ['1', '2', '3', '4']) add(number)
  rested.publisher('others', (_, later) => later)('besides')
  await eventually(() => sums.heard.length === 3 && others.heard.length === 2)
  expect(sums.heard).toEqual([null, '1', '2+3+4'])
  expect(others.heard).toEqual([null, 'besides'])
  await rested.close()
})

test('channels are apart, and who has stopped hears no more', async () => {
  const [left, right] = [await listening(other, 'left'), await listening(other, 'right')]
  left.stop()
  for (const channel of ['left', 'right']) mine.publisher(channel, (_, later) => later)(channel)
  await eventually(() => right.heard.length === 2)
  expect([left.heard, right.heard]).toEqual([[null], [null, 'right']])
})
