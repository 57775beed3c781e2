import { existsSync } from 'node:fs'
import { schoolEvents } from '../support/school-events'
import { closeWhileFamiliesOrder } from './closing-drill'

test('a day is closed while 50 families order and pay and the program is killed three times: no order stands, money is owed once, each family is told once', async () => {
  if (!existsSync('dist/server/start-main.js')) throw new Error('There is no build: npm run build')
  const store = await schoolEvents()
  const { ordered, refused, paid } = await closeWhileFamiliesOrder({
    remedy: 'refund',
    families: 50,
    cards: 20,
    kills: 3,
    seed: 41,
    variables: { EVENTSTORE_URL: store.url },
  }).finally(store.close)
  expect(paid).toBe(20)
  expect(ordered + refused).toBe(30)
}, 480_000)
