import { type EventStore, type Position, type StreamAppend } from '#platform/event-store/event-store'

/** A process dies. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** The process dies at its nth append, before that is done or after. */
export type Death = { at: number; when: 'before' | 'after' }

type Surroundings = { store: EventStore; isSplit: boolean; pause: () => Promise<unknown> }

export const mortalStore = ({ store, isSplit, pause }: Surroundings, death: Death | null) => {
  let step = 0
  let isDead = false
  const live = () => {
    if (isDead) throw new Crash()
  }
  const die = () => {
    isDead = true
    throw new Crash()
  }
  const appendStep = async (appends: StreamAppend[]) => {
    await pause()
    live()
    const isLast = step === death?.at
    step += 1
    if (isLast && death.when === 'before') die()
    const position = await store.append(appends)
    if (isLast) die()
    live()
    return position
  }
  const append: EventStore['append'] = async (appends) => {
    if (!isSplit) return appendStep(appends)
    let last: Position = ''
    for (const one of appends) last = await appendStep([one])
    return last
  }
  const read: EventStore['read'] = async (streams) => {
    await pause()
    live()
    const found = await store.read(streams)
    live()
    return found
  }
  return { read, append, live, isDead: () => isDead }
}
