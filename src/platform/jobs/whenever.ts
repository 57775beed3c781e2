import { eventReader, type AnyEventType, type EventOf } from '#kernel/event'
import type { By } from '#platform/event-store/command-handler'
import type { Reactor, Sweep } from '#platform/module'
import { each } from '#platform/pacing'
import { work, type Job, type JobQueue, type JobWork } from './job'

type SweepOf<Item> = {
  name: string
  /** What waits, as the read models and tables say. */
  due: () => Promise<readonly Item[]>
  /** Names what an item is about; its acts carry it. */
  id: (item: Item) => string
  /** Repeatable. */
  act: (item: Item, by: By) => Promise<unknown>
  atOnce?: number
}

/** Finds what waits and does each. */
export const sweepOf = <Item>({ name, due, id, act, atOnce }: SweepOf<Item>): Sweep => ({
  name,
  run: async () =>
    each(await due(), (item) => act(item, { actor: `job:${name}`, correlationId: id(item) }), atOnce),
})

type Asked = { job: Job; payload: unknown; id: string; delayMs?: number }

/** A job to be enqueued. */
export const asked = <Payload>(
  declaration: Job<Payload>,
  payload: Payload,
  options: { id: string; delayMs?: number },
): Asked => ({ job: declaration as Job, payload, ...options })

export const enqueueAsked = async (
  queue: Pick<JobQueue, 'enqueue'>,
  { job, payload, ...options }: Asked,
): Promise<void> => queue.enqueue(job, payload, options)

type Whenever<Types extends readonly AnyEventType[], Payload, Item> = {
  queue: Pick<JobQueue, 'enqueue'>
  reactor: string
  after: Types
  /** What an event asks for; ids of jobs come from `eventId`. */
  asks: (event: EventOf<Types[number]>, eventId: string) => readonly Asked[]
  job: Job<Payload>
  /** Repeatable. */
  act: (payload: Payload, by: By) => Promise<unknown>
  /** Finds what a lost job left. */
  sweep: SweepOf<Item>
}

/** What must happen after an event: a job does it at once, the sweep finds what the job left. */
export const whenever = <const Types extends readonly AnyEventType[], Payload, Item>({
  queue,
  reactor,
  after,
  asks,
  job,
  act,
  sweep,
}: Whenever<Types, Payload, Item>): { reactor: Reactor; work: JobWork; sweep: Sweep } => ({
  reactor: { name: reactor, types: after.map(({ type }) => type), react: reaction(queue, after, asks) },
  work: workBy(job, act),
  sweep: sweepOf(sweep),
})

const reaction = <Types extends readonly AnyEventType[]>(
  queue: Pick<JobQueue, 'enqueue'>,
  after: Types,
  asks: (event: EventOf<Types[number]>, eventId: string) => readonly Asked[],
): Reactor['react'] => {
  const read = eventReader(...after)
  return async (stored) => {
    const event = read(stored)
    if (!event) return
    for (const one of asks(event, stored.id)) await enqueueAsked(queue, one)
  }
}

/** A job whose acts are said to be by it. */
export const workBy = <Payload>(
  declaration: Job<Payload>,
  act: (payload: Payload, by: By) => Promise<unknown>,
): JobWork =>
  work(declaration, async (payload, { jobId }) => {
    await act(payload, { actor: `job:${declaration.name}`, correlationId: jobId })
  })
