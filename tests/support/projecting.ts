import type { Pool } from 'pg'
import type { DomainEvent } from '#kernel/event'
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  noStream,
} from '#platform/event-store/event-store'
import type { Locks } from '#platform/ports'
import {
  type FollowNeeds,
  type FollowStatus,
  followersOutage,
  startFollower,
} from '#platform/projections/follow-events'
import { type ContextViews, type Projectors, startProjectors } from '#platform/projections/projector'
import { type RowView, rowView } from '#platform/projections/row-view'
import { postgresLocks } from '../../src/adapters/postgres/locks'
import { heardLog } from './captured-log'
import { type StoreProcess, storeProcess } from './postgres'
import { counted, newEvents, noted } from './recorded-events'

type TallyRow = {
  name: string
  total: number
  times: number
  average: number
  last_at: string
  last_day: string
  numbers: number[]
  note: { text: string; length: number } | null
  even: boolean
}

const streamOf = ({ stream }: { stream: string }) => stream

/** A view with a column of every kind, kept by the numbers of each stream; the number 0 deletes its row. */
export const talliesView = rowView({
  table: 'example.tallies',
  columns: {
    name: 'text',
    total: 'integer',
    times: 'bigint',
    average: 'double precision',
    last_at: 'timestamptz',
    last_day: 'date',
    numbers: 'integer[]',
    note: 'jsonb',
    even: 'boolean',
  },
  primaryKey: 'name',
  events: [counted, noted],
  key: streamOf,
  evolve: (row: TallyRow | null, event): TallyRow | null => {
    if (event.type === noted.type) {
      const { text } = event.data
      return row && { ...row, note: { text, length: text.length } }
    }
    const { number } = event.data
    if (number === 0) return null
    const at = event.metadata.at
    const total = (row?.total ?? 0) + number
    const times = (row?.times ?? 0) + 1
    return {
      name: event.stream,
      total,
      times,
      average: total / times,
      last_at: at,
      last_day: at.slice(0, 10),
      numbers: [...(row?.numbers ?? []), number].slice(-3),
      note: row?.note ?? null,
      even: total % 2 === 0,
    }
  },
})

type NumberRow = { number: number; times: number }

/** How often each number came, over all streams: one row that many streams touch. */
export const numbersView = rowView({
  table: 'example.numbers',
  columns: { number: 'integer', times: 'integer' },
  primaryKey: 'number',
  events: [counted],
  key: ({ data }) => String(data.number),
  evolve: (row: NumberRow | null, { data: { number } }): NumberRow => ({
    number,
    times: (row?.times ?? 0) + 1,
  }),
})

const exampleViews = [talliesView, numbersView]
export const exampleContext = { name: 'example', views: exampleViews }

export const createExampleTables = async (pool: Pool): Promise<void> => {
  await pool.query(`
    create schema example;
    create table example.tallies (
      name text primary key, total integer not null, times bigint not null, average double precision not null,
      last_at timestamptz not null, last_day date not null, numbers integer[] not null, note jsonb, even boolean not null
    );
    create table example.numbers (number integer primary key, times integer not null)`)
}

export const numberEvents = (...numbers: number[]): DomainEvent[] =>
  numbers.map((number) => counted({ number }))

/** Appends events to the end of a stream. */
export const appendTo = async (
  store: EventStore,
  stream: string,
  ...events: DomainEvent[]
): Promise<Position> => {
  const before = (await store.read([stream])).get(stream) ?? []
  const expectedRevision = before.at(-1)?.revision ?? noStream
  return store.append([
    { stream, expectedRevision, events: newEvents(`${stream}/${expectedRevision}`, ...events) },
  ])
}

/** The projector of one context. */
type ExampleProjector = Omit<Projectors, 'status'> & { status: () => FollowStatus }

/** A process on the example tables, that can project and follow; `close` ends whatever it started. */
export type ExampleProcess = StoreProcess & {
  locks: Locks
  onOutage: FollowNeeds['onOutage']
  log: ReturnType<typeof heardLog>
  project: (views?: readonly RowView[]) => ExampleProjector
  projectContexts: (...contexts: ContextViews[]) => Projectors
  follow: (
    name: string,
    types: readonly string[],
    handle: (event: RecordedEvent) => Promise<void>,
  ) => ReturnType<typeof startFollower>
  followAll: (
    name: string,
    types: readonly string[],
    handleAll: (events: readonly RecordedEvent[]) => Promise<void>,
  ) => ReturnType<typeof startFollower>
}

/** The school's clock in these tests: a minute after every recorded event. */
export const aMinuteLater = () => new Date('2026-09-16T07:01:00.000Z')

export const exampleProcess = async (url: string): Promise<ExampleProcess> => {
  const base = await storeProcess(url)
  const log = heardLog()
  const locks = postgresLocks({ pool: base.database.pool })
  const onOutage = followersOutage(log)
  const needs = { ...base, eventStore: base.store, locks, log, onOutage, now: aMinuteLater }
  const started: { close: () => Promise<void> }[] = []
  const kept = <Started extends { close: () => Promise<void> }>(one: Started): Started => {
    started.push(one)
    return one
  }
  return {
    ...base,
    locks,
    log,
    onOutage,
    project: (views = exampleViews) => {
      const projectors = kept(startProjectors({ ...needs, contexts: [{ name: 'example', views }] }))
      return { ...projectors, status: () => projectors.status().example! }
    },
    projectContexts: (...contexts) => kept(startProjectors({ ...needs, contexts })),
    follow: (name, types, handle) => kept(startFollower({ ...needs, name, types, handle })),
    followAll: (name, types, handleAll) => kept(startFollower({ ...needs, name, types, handleAll })),
    close: async () => {
      await Promise.all(started.map(({ close }) => close()))
      await locks.close()
      await base.close()
    },
  }
}
