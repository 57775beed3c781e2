import { existsSync } from 'node:fs'
import { schoolEvents } from '../support/school-events'
import { handOutTwice } from './hatch-drill'

test('two devices hand out 504 lunches, one of them an hour without a connection and two hours wrong, and the program is killed four times: one truth for each lunch, nothing is lost', async () => {
  if (!existsSync('dist/server/start-main.js')) throw new Error('There is no build: npm run build')
  const store = await schoolEvents()
  const drill = { families: 42, kills: 4, seed: 1115, variables: { EVENTSTORE_URL: store.url } }
  const figures = await handOutTwice(drill).finally(store.close)
  const { lunches, marks, kept, already, conflict, refused, askedAgain } = figures
  expect([lunches, kept + already + conflict + refused]).toEqual([504, marks])
  expect(already).toBeGreaterThan(100)
  expect(conflict).toBeGreaterThan(20)
  expect(refused).toBe(0)
  expect(askedAgain).toBeGreaterThan(1)
}, 480_000)
