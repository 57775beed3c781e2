import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventsPage } from '../../scripts/events-page'
import { ownStreams } from '../../src/adapters/event-store/esdb/event-store'
import { fileText } from '../support/repository'

test('docs/events.md is what npm run docs:events writes', async () => {
  expect(fileText('docs/events.md')).toBe(await eventsPage())
})

test('the streams that modules name are those whose events EventStoreDB hands on', () => {
  const modules = join(__dirname, '../../src/modules')
  const named = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(modules, file), 'utf8').matchAll(
        /\b\w*[sS]tream(?:Of)?\b[^`]{0,120}?=>\s+`(\w+-)\$\{/g,
      ),
    ])
    .map(([, prefix]) => prefix!)
  expect([...new Set(named)].toSorted()).toEqual([...ownStreams].toSorted())
})
