import { retentionSweep } from '../../src/app/service/worker'

/** A worker's sweep on a clock and a queue that both may be away. */
const worker = (asked: string[]) => {
  const world = { at: new Date('2026-09-14T07:00:00Z'), away: false }
  const enqueue = (_job: unknown, _payload: unknown, { id }: { id: string }) => {
    if (world.away) return Promise.reject(new Error('The queue is away'))
    asked.push(id)
    return Promise.resolve()
  }
  return { world, sweep: retentionSweep({ queue: { enqueue }, now: () => world.at }) }
}

test('each worker asks once in ten minutes, all of them for the same job', async () => {
  const asked: string[] = []
  const [one, other] = [worker(asked), worker(asked)]
  for (let turn = 0; turn < 3; turn += 1) {
    await one.sweep.run()
    await other.sweep.run()
  }
  expect(asked).toHaveLength(2)
  expect(new Set(asked).size).toBe(1)
  one.world.at = new Date('2026-09-14T07:09:59Z')
  await one.sweep.run()
  expect(asked).toHaveLength(2)
  one.world.at = new Date('2026-09-14T07:10:00Z')
  await one.sweep.run()
  expect([asked.length, new Set(asked).size]).toEqual([3, 2])
})

test('with the queue away it asks again at the next sweep', async () => {
  const asked: string[] = []
  const { world, sweep } = worker(asked)
  world.away = true
  await expect(sweep.run()).rejects.toThrow('The queue is away')
  world.away = false
  await sweep.run()
  expect(asked).toHaveLength(1)
})
