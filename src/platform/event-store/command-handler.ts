import { setTimeout } from 'node:timers/promises'
import { v5, v7 } from 'uuid'
import type { Decider } from '#kernel/decider'
import type { DomainEvent } from '#kernel/event'
import type { Now } from '#platform/clock'
import { noStream, WrongExpectedRevision, type EventStore, type NewEvent, type Position } from './event-store'

/** The streams of one kind: how they are named, read (null: an event that the kind does not know) and folded. */
export type StreamKind<Id, State, Event> = Pick<Decider<State, never, Event>, 'initial' | 'evolve'> & {
  streamOf: (id: Id) => string
  read: (stored: { type: string; data: unknown }) => Event | null
}

/** A stream as it was read; `position` of its last event, null when it has none. */
export type LoadedStream<State, Event> = {
  stream: string
  state: State
  events: readonly Event[]
  revision: number
  position: Position | null
}

/** Who appends, on whose behalf; see `eventMetadata`. */
export type By = { actor: string; correlationId: string }

/**
 * New events for a stream, at the revision at which it was loaded. With an `idSeed` their ids are derived from it and
 * from their places, so that a repeated append is recognised.
 */
export type StreamChange = {
  loaded: Pick<LoadedStream<unknown, unknown>, 'stream' | 'revision' | 'position'>
  events: readonly DomainEvent[]
  idSeed?: string | undefined
}

export type CommandNeeds = {
  eventStore: Pick<EventStore, 'read' | 'append'>
  now: Now
}

/** Ends once the views show what was appended at this position. */
type WaitForViews = { waitForViews: (position: Position) => Promise<void> }

type Reads = Pick<EventStore, 'read'>

/** Reads several streams of one kind at once, in the order of `ids`; one without events is in its initial state. */
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

/** The stream as it will be once these events are appended. */
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

/**
 * Handles commands on single streams of one kind: loads the stream, lets `decide` gather facts and decide, appends, and
 * repeats all of it when somebody else appended first. Answers the new events, the state after them and the position
 * from which on the views contain it (null: the stream has no events).
 */
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

/**
 * The same for a command over several streams: `step` loads them, gathers facts and decides; its `changes` are appended
 * in their order, in one append. Answers what the step answered, with the position.
 */
export const handleCommand = async <Step extends { changes: readonly StreamChange[] }>(
  needs: CommandNeeds,
  by: By,
  step: (at: Date) => Promise<Step>,
): Promise<Step & { position: Position | null }> => {
  for (let tries = 1; ; tries += 1) {
    try {
      const at = needs.now()
      const decided = await step(at)
      const position = await append(needs.eventStore, decided.changes, { ...by, at })
      return { ...decided, position }
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || tries >= maxTries) throw error
      await waitBeforeTry(tries + 1)
    }
  }
}

/** The same; ends once the views show what it appended or found done already: for answers, whose reader looks next. */
export const handleUntilShown = async <Step extends { changes: readonly StreamChange[] }>(
  needs: CommandNeeds & WaitForViews,
  by: By,
  step: (at: Date) => Promise<Step>,
): Promise<Step & { position: Position | null }> => {
  const handled = await handleCommand(needs, by, step)
  if (handled.position !== null) await needs.waitForViews(handled.position)
  return handled
}

const append = async (
  eventStore: Pick<EventStore, 'append'>,
  changes: readonly StreamChange[],
  stamp: Stamp,
): Promise<Position | null> => {
  const appends = changes
    .filter(({ events }) => events.length > 0)
    .map(({ loaded: { stream, revision }, events, idSeed }) => ({
      stream,
      expectedRevision: revision,
      events: stampEvents(events, { ...stamp, idSeed }),
    }))
  if (appends.length > 0) return eventStore.append(appends)
  const positions = changes.flatMap(({ loaded: { position } }) => position ?? [])
  return positions.toSorted().at(-1) ?? null
}

/** Of new events: who, when, and what their ids are derived from (by default they are new). */
export type Stamp = By & { at: Date; idSeed?: string | undefined }

const eventNamespace = 'a3b1f0de-5a63-4c0e-9f0b-6d6f0b8f7a11'

/** Gives events their ids and metadata, ready to append. */
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
