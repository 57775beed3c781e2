import { eventsPage } from '../../scripts/events-page'
import { fileText } from '../support/repository'

test('docs/events.md is what npm run docs:events writes', async () => {
  expect(fileText('docs/events.md')).toBe(await eventsPage())
})
