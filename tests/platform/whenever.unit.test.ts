import { z } from 'zod'
import { eventType } from '#kernel/event'
import { job } from '#platform/jobs/job'
import { asked, sweepOf, whenever } from '#platform/jobs/whenever'
import { each } from '#platform/pacing'
import { recorded } from '../support/recorded-events'

const plateBroken = eventType('t.plate-broken.v1', z.strictObject({ plate: z.string() }))
const sweepUp = job({ name: 'sweep-up', payload: z.object({ plate: z.string() }), attempts: 3, backoffMs: 1 })

const kitchen = () => {
  const jobs: unknown[] = []
  const swept: unknown[] = []
  const act = async (one: { plate: string }, by: unknown) => void swept.push([one.plate, by])
  const story = whenever({
    queue: { enqueue: async ({ name }, payload, options) => void jobs.push([name, payload, options]) },
    reactor: 'sweep-up-when-plate-broken',
    after: [plateBroken],
    asks: ({ data: { plate } }, eventId) =>
      plate === 'paper' ? [] : [asked(sweepUp, { plate }, { id: `sweep-${eventId}` })],
    job: sweepUp,
    act,
    sweep: { name: 'find-shards', due: async () => [{ plate: 'old' }], id: ({ plate }) => plate, act },
  })
  return { jobs, swept, ...story }
}

test('an event asks for a job, with an id of the event', async () => {
  const { reactor, jobs } = kitchen()
  const event = recorded(plateBroken({ plate: 'blue' }))
  await reactor.react(event)
  await reactor.react(recorded(plateBroken({ plate: 'paper' })))
  expect([reactor.name, reactor.types]).toEqual(['sweep-up-when-plate-broken', [plateBroken.type]])
  expect(jobs).toEqual([['sweep-up', { plate: 'blue' }, { id: `sweep-${event.id}` }]])
})

test('job and sweep do the same, each in its own name', async () => {
  const { work, sweep, swept } = kitchen()
  await work.handle({ plate: 'blue' }, { jobId: 'sweep-7', attempt: 1 })
  await sweep.run()
  expect([work.job.name, sweep.name]).toEqual(['sweep-up', 'find-shards'])
  expect(swept).toEqual([
    ['blue', { actor: 'job:sweep-up', correlationId: 'sweep-7' }],
    ['old', { actor: 'job:find-shards', correlationId: 'old' }],
  ])
})

test('one that fails delays no other, and all that failed are told', async () => {
  const done: number[] = []
  const act = (one: number) => {
    if (one < 3) throw new Error(`no ${one}`)
    done.push(one)
    return Promise.resolve()
  }
  const told = await each([1, 2, 3, 4], act).catch((fault: AggregateError) => fault)
  expect(told).toMatchObject({ message: '2 of 4 failed', errors: [new Error('no 1'), new Error('no 2')] })
  expect(done).toEqual([3, 4])
})

test('so many are done together, and no more', async () => {
  let running = 0
  let most = 0
  const sweep = sweepOf({
    name: 'find-shards',
    due: async () => [1, 2, 3, 4, 5],
    id: String,
    act: async () => {
      most = Math.max(most, (running += 1))
      await Promise.resolve()
      running -= 1
    },
    atOnce: 2,
  })
  await sweep.run()
  expect(most).toBe(2)
})
