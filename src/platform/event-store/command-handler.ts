import { setTimeout } from 'node:timers/promises'
import { v5, v7 } from 'uuid'
import type { Decider, DomainEvent } from '#kernel/event'
import type { Now, Ports } from '#platform/ports'
import {
  beginning,
  type StreamAppend,
  noStream,
  WrongExpectedRevision,
  type EventStore,
  type NewEvent,
  type Position,
} from './event-store'

/** `read` answers null for an event that the kind does not know. */
export type StreamKind<Id, State, Event> = Pick<Decider<State, never, Event>, 'initial' | 'evolve'> & {
  streamOf: (id: Id) => string
  read: (stored: { type: string; data: unknown }) => Event | null
}

/** `position` is that of its last event, null without events. */
export type LoadedStream<State, Event> = {
  stream: string
  state: State
  events: readonly Event[]
  revision: number
  position: Position | null
}

/** `written` holds the highest position appended, or found appended, on its behalf: the answer of a route waits until the views include it. */
export type By = { actor: string; correlationId: string; written?: { upTo: Position } }
export type Writer = Required<By>

export const writing = (by: By): Writer => ({ ...by, written: by.written ?? { upTo: beginning } })

/** With an `idSeed`, event ids derive from it and the event's place, so that the store recognises a repeated append. */
export type StreamChange = {
  loaded: Pick<LoadedStream<unknown, unknown>, 'stream' | 'revision' | 'position'> & {
    events?: StreamAppend['earlier']
  }
  events: readonly DomainEvent[]
  idSeed?: string | undefined
  alone?: StreamAppend['alone']
}

export type CommandNeeds = {
  eventStore: Pick<EventStore, 'read' | 'append'>
  now: Now
}

type Reads = Pick<EventStore, 'read'>

/** In the order of `ids`. A stream without events is in its initial state. */
export const loadStreams = async <Id, State, Event>(
  eventStore: Reads,
  kind: StreamKind<Id, State, Event>,
  ids: readonly Id[],
): Promise<LoadedStream<State, Event>[]> => {
  const streams = ids.map(kind.streamOf)
  const recorded = await eventStore.read([...new Set(streams)])
  return streams.map((stream) => {
    const stored = recorded.get(stream) ?? []
    const events = stored.flatMap((event) => kind.read(event) ?? [])
    const { revision, position } = stored.at(-1) ?? { revision: noStream, position: null }
    return { stream, state: events.reduce(kind.evolve, kind.initial), events, revision, position }
  })
}

export const loadStream = async <Id, State, Event>(
  eventStore: Reads,
  kind: StreamKind<Id, State, Event>,
  id: Id,
): Promise<LoadedStream<State, Event>> => (await loadStreams(eventStore, kind, [id]))[0]!

export const advanced = <State, Event>(
  { evolve }: Pick<Decider<State, never, Event>, 'evolve'>,
  before: LoadedStream<State, Event>,
  events: readonly Event[],
): LoadedStream<State, Event> => ({
  ...before,
  state: events.reduce(evolve, before.state),
  events: [...before.events, ...events],
  revision: before.revision + events.length,
})

/** Loads, decides, appends; starts again on a concurrent append. Answers new events, state and position (null: an empty stream). */
export const commandHandler =
  <Id, State, Event extends DomainEvent>(kind: StreamKind<Id, State, Event>, needs: CommandNeeds) =>
  (
    id: Id,
    by: By,
    decide: (state: State, at: Date) => readonly Event[] | Promise<readonly Event[]>,
    idSeed?: string,
  ) =>
    handleCommand(needs, by, async (at) => {
      const loaded = await loadStream(needs.eventStore, kind, id)
      const events = await decide(loaded.state, at)
      return {
        changes: [{ loaded, events, idSeed }],
        events,
        state: advanced(kind, loaded, events).state,
      }
    })

const maxTries = 24

// From the third try on: fifty buyers of one meal with few portions all append to one stream.
const waitBeforeTry = (tries: number) =>
  tries < 3 ? Promise.resolve() : setTimeout(Math.random() * Math.min(10 * 2 ** (tries - 3), 320))

/** The same over several streams: `step` loads and decides, its `changes` go in one append. Answers the step with the position. */
export const handleCommand = async <Step extends { changes: readonly StreamChange[] }>(
  needs: CommandNeeds,
  by: By,
  step: (at: Date, tries: number) => Promise<Step>,
): Promise<Step & { position: Position | null }> => {
  for (let tries = 1; ; tries += 1) {
    try {
      const at = needs.now()
      const decided = await step(at, tries)
      const position = await append(needs.eventStore, decided.changes, { ...by, at })
      noteWritten(by, position)
      return { ...decided, position }
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || tries >= maxTries) throw error
      await waitBeforeTry(tries + 1)
    }
  }
}

/** Also for what an earlier request wrote, when it is repeated. */
export const noteWritten = ({ written }: By, position: Position | null): void => {
  if (written && position !== null && position > written.upTo) written.upTo = position
}

/** Resolves once the views include what was written on behalf of the writer. Only what reads them within the same act asks. */
export const ownWritesShown = async (
  { written }: Writer,
  { viewsInclude }: Pick<Ports, 'viewsInclude'>,
): Promise<void> => {
  if (written.upTo !== beginning) await viewsInclude(written.upTo)
}

const append = async (
  eventStore: Pick<EventStore, 'append'>,
  changes: readonly StreamChange[],
  stamp: Stamp,
): Promise<Position | null> => {
  const appends = changes
    .filter(({ events }) => events.length > 0)
    .map(({ loaded: { stream, revision, events: earlier }, events, idSeed, alone }) => ({
      stream,
      expectedRevision: revision,
      events: stampEvents(events, { ...stamp, idSeed }),
      earlier,
      alone,
    }))
  if (appends.length > 0) return eventStore.append(appends)
  const positions = changes.flatMap(({ loaded: { position } }) => position ?? [])
  return positions.toSorted().at(-1) ?? null
}

/** Events get random ids without an `idSeed`. */
export type Stamp = By & { at: Date; idSeed?: string | undefined }

const eventNamespace = 'a3b1f0de-5a63-4c0e-9f0b-6d6f0b8f7a11'

export const stampEvents = (
  events: readonly DomainEvent[],
  { actor, correlationId, at, idSeed }: Stamp,
): NewEvent[] =>
  events.map(({ type, data }, index) => ({
    id: idSeed === undefined ? v7() : v5(`${idSeed}/${index}`, eventNamespace),
    type,
    data,
    metadata: { actor, correlationId, causationId: correlationId, at: at.toISOString(), schemaVersion: 1 },
  }))
