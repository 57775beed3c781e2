import { existsSync } from 'node:fs'
import { schoolEvents } from '../support/school-events'
import { crashAgainAndAgain } from './crash-run'

test('the program is killed six times at work, and what it acknowledged is there once', async () => {
  if (!existsSync('dist/server/start-main.js')) throw new Error('There is no build: npm run build')
  const store = await schoolEvents()
  const { acknowledged, events, weeks } = await crashAgainAndAgain({
    crashes: 6,
    seed: 20,
    families: 4,
    busyFor: 20,
    thoroughEvery: 6,
    variables: { EVENTSTORE_URL: store.url },
  }).finally(store.close)
  expect(acknowledged.wrong).toEqual([])
  expect(acknowledged.placed.size).toBeGreaterThan(10)
  expect(events).toBeGreaterThan(100)
  // One by credit, one by transfer, two asked for on the phone.
  expect(Object.values(weeks).reduce((sum, times) => sum + times, 0)).toBe(4)
  expect(weeks.waiting).toBe(1)
  expect(weeks.ordered).toBeGreaterThanOrEqual(1)
}, 480_000)
