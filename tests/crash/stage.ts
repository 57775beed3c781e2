import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { ofItsOwn } from '../support/school-events'
import { type Death, type Place, type Program, deaths, clockRate, freePort, launch, ready } from './processes'

export type Random = ReturnType<typeof randomOf>

/** Random numbers that a seed repeats (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
  const shuffled = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, key: next() }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ item }) => item)
  return {
    next,
    below,
    pick,
    shuffled,
    chance: (share: number): boolean => next() < share,
    seed: () => below(2 ** 31),
  }
}

// The client's generated messages are CommonJS whose names an import cannot see.
const { startNode } = createRequire(import.meta.url)(
  '../support/esdb-server/start-node',
) as typeof import('../support/esdb-server/start-node')

/** Tries something on the server at EVENTSTORE_TEST_URL, or on the small server of its protocol; says which. */
export const onEventStore = async (trial: (where: string, url: string) => Promise<void>): Promise<void> => {
  const given = process.env.EVENTSTORE_TEST_URL ?? ''
  const own = given === '' ? await startNode() : null
  try {
    await trial(own ? "with EventStoreDB's protocol" : 'with EventStoreDB', own ? own.url() : ofItsOwn(given))
  } finally {
    own?.stop()
  }
}

/** A whole number above 0 from the environment; ends the process with a sentence when it is anything else. */
export const numberFrom = (variable: string, otherwise: number): number => {
  const value = Number(process.env[variable] ?? otherwise)
  if (Number.isInteger(value) && value > 0) return value
  console.error(`${variable} takes a whole number above 0.`)
  process.exit(1)
}

export const monday = '2026-11-16'
const opening = new Date(`${monday}T06:30:00+02:00`)

export type Stage = ReturnType<typeof stageOn>

/** Something that was promised does not hold; the message says what. */
export class PromiseBroken extends Error {
  override readonly name = 'PromiseBroken'
}

/**
 * Does something with a program on data of its own. Throws PromiseBroken with what it threw and what the program said last;
 * the data directory stays then, and its name is in the message.
 */
export const onStage = async <Result>(
  {
    seed,
    variables = {},
    opens = opening,
  }: { seed: number; variables?: Record<string, string> | undefined; opens?: Date },
  act: (stage: Stage) => Promise<Result>,
): Promise<Result> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tuckshop-crash-'))
  const stage = stageOn({ dataDir, port: await freePort(), variables }, randomOf(seed), opens)
  try {
    await stage.start()
    const result = await act(stage)
    await stage.stop()
    await rm(dataDir, { recursive: true, force: true })
    return result
  } catch (error) {
    await stage.stop().catch(() => undefined)
    throw new PromiseBroken(
      `${inspect(error)}\nThe program said last:\n${stage.said()}\nThe data is in ${dataDir}.`,
      { cause: error },
    )
  }
}

/** The program on its place, with a clock that goes on from start to start. */
const stageOn = (place: Place, random: Random, opens: Date) => {
  let program: Program | null = null
  let clockFrom = opens.getTime()
  let clockSince = Date.now()
  const starts: number[] = []
  const died: Record<string, number> = {}
  const clock = () => new Date(clockFrom + (Date.now() - clockSince) * clockRate)

  const start = async () => {
    const begun = Date.now()
    clockFrom = clock().getTime()
    clockSince = begun
    program = launch(place, clock())
    await ready(program, place)
    starts.push(Date.now() - begun)
  }
  const kill = async (death: Death) => {
    died[death] = (died[death] ?? 0) + 1
    deaths[death](program!.pid, place.dataDir)
    await program!.gone
  }
  return {
    place,
    random,
    clock,
    starts,
    died,
    start,
    kill,
    /** Dies once more before it is ready, and is started again. */
    stumble: async () => {
      died['while starting'] = (died['while starting'] ?? 0) + 1
      program = launch(place, clock())
      await Promise.race([pause(random.below(700)), program.gone])
      if (program.isGone()) throw new Error(`The program did not start:\n${program.said()}`)
      deaths[random.pick(deathNames)](program.pid, place.dataDir)
      await program.gone
    },
    said: () => program?.said().slice(-3_000) ?? 'nothing',
    putClockOn: (ms: number) => void (clockFrom += ms),
    stop: async () => {
      if (program === null || program.isGone()) return
      program.child.kill('SIGTERM')
      await program.gone
    },
  }
}

export const deathNames = Object.keys(deaths) as Death[]

/** Every event of the store, in its order. */
export type Story = readonly Pick<RecordedEvent, 'stream' | 'type' | 'data'>[]

/** Sentences about what does not hold; none when all is well. */
export type Broken = string[]

export const few = (what: string, found: readonly string[]): Broken =>
  found.length === 0 ? [] : [`${what}: ${found.length}, such as ${found.slice(0, 3).join(', ')}`]

/** Looks until it is so; false when it is not in time. */
export const within = async (ms: number, so: () => Promise<boolean>): Promise<boolean> => {
  for (const giveUpAt = Date.now() + ms; ;) {
    if (await so()) return true
    if (Date.now() > giveUpAt) return false
    await pause(50)
  }
}
