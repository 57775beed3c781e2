import { differencesOf } from '../../src/app/backup/copy-events'
import type { RecordedEvent } from '#platform/event-store/event-store'
import type { LoggedEvent } from '#platform/event-store/log-line'
import { counted, recorded } from '../support/recorded-events'

const id = (revision: number) => `00000000-0000-4000-8000-00000000000${revision}`
const copyOf = (revision: number, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...recorded(counted({ number: revision }), { stream: 'tally-1', revision, id: id(revision) }),
  ...more,
})
const original = ({ position: _position, ...event }: RecordedEvent): LoggedEvent => ({
  ...event,
  recordedAt: null,
})
const both = [original(copyOf(0)), original(copyOf(1))]
const told = (...copy: RecordedEvent[]) => differencesOf('tally-1', both, copy)
const named = (revision: number) => `Event ${revision} of stream tally-1 (${counted.type}, ${id(revision)})`

test('an exact copy has none', () => {
  expect(told(copyOf(0), copyOf(1, { recordedAt: '2026-11-21T08:00:00.000Z' }))).toEqual([])
})

test.each<[string, RecordedEvent[], string[]]>([
  ['an event less', [copyOf(0)], [`${named(1)} is missing there.`]],
  ['a stream less', [], [`${named(0)} is missing there.`, `${named(1)} is missing there.`]],
  ['an event more', [copyOf(0), copyOf(1), copyOf(2)], ['Stream tally-1 has 1 more event there.']],
  ['another event', [copyOf(0), copyOf(1, { id: id(9) })], [`${named(1)} is another one there: ${id(9)}.`]],
  ['other data', [copyOf(0, { data: { number: 5 } }), copyOf(1)], [`${named(0)} has other data there.`]],
  [
    'another type and another person',
    [copyOf(0, { type: 'test.other.v1', metadata: { ...copyOf(0).metadata, actor: 'user:2' } }), copyOf(1)],
    [`${named(0)} has other type and metadata there.`],
  ],
  ['another revision', [copyOf(0), copyOf(1, { revision: 4 })], [`${named(1)} has the revision 4 there.`]],
])('%s', (_what, copy, words) => {
  expect(told(...copy)).toEqual(words)
})
