import { Registry } from 'prom-client'
import { z } from 'zod'
import { Refusal } from '#kernel/refusal'
import { type EventStore, type StreamAppend, WrongExpectedRevision } from '#platform/event-store/event-store'
import { job, work } from '#platform/jobs/job'
import type { Locks } from '#platform/ports'
import {
  measuredEventStore,
  measuredWait,
  measuredProvider,
  measuredSweeps,
  measuredWorks,
} from '../../src/app/metrics/measured'
import { addMeasures, inSequence } from '../../src/app/metrics/watch'
import { startSweeps, retentionSweep } from '../../src/app/service/worker'
import { heardLog } from '../support/captured-log'
import { eventually } from '../support/eventually'
import { silentLog } from '../support/start-postgres'

describe('sweeps', () => {
  /** Locks of one database, as several processes see them. */
  const sharedLocks = (): Locks => {
    const held = new Set<string>()
    const tryAcquire: Locks['tryAcquire'] = async (name) => {
      if (held.has(name)) return null
      held.add(name)
      return { lost: new Promise(() => undefined), end: async () => void held.delete(name) }
    }
    return {
      tryAcquire,
      takeOver: () => Promise.reject(new Error('not here')),
      isHeld: async (name) => held.has(name),
      close: async () => undefined,
    }
  }

  const never = () => new Promise<void>(() => undefined)

  test('one that never ends keeps none of the others from running, and is named', async () => {
    let runs = 0
    const quick = { name: 'quick', run: async () => void (runs += 1) }
    const needs = { locks: sharedLocks(), log: silentLog, everyMs: 5, limitMs: 30 }
    const sweeps = startSweeps([{ name: 'stuck', run: never }, quick], needs)
    await eventually(() => runs > 5)
    await eventually(() => sweeps.failing().includes('stuck'))
    expect(sweeps.failing()).toEqual(['stuck'])
    await sweeps.stop()
  })

  test('each runs on one process; when that stops the other one goes on', async () => {
    const locks = sharedLocks()
    const runs = { one: 0, other: 0 }
    const on = (process: 'one' | 'other') =>
      startSweeps([{ name: 'mail', run: async () => void (runs[process] += 1) }], {
        locks,
        log: silentLog,
        everyMs: 5,
      })
    const one = on('one')
    await eventually(() => runs.one > 0)
    const other = on('other')
    const before = runs.one
    await eventually(() => runs.one > before + 5)
    expect(runs.other).toBe(0)
    await one.stop()
    await eventually(() => runs.other > 0)
    await other.stop()
  })

  test('one that failed is named until it has gone well', async () => {
    let fails = true
    const run = async () => {
      if (fails) throw new Error('not now')
    }
    const sweeps = startSweeps([{ name: 'moody', run }], { locks: sharedLocks(), log: silentLog, everyMs: 5 })
    await eventually(() => sweeps.failing().length === 1)
    fails = false
    await eventually(() => sweeps.failing().length === 0)
    await sweeps.stop()
  })
})

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

describe('measures', () => {
  let registry: Registry
  beforeEach(() => {
    registry = new Registry()
  })
  const lines = async (start: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(start))

  const away = () => Promise.reject(new Error('the database is away'))
  const never = () => new Promise<number>(() => undefined)
  const counted = async (outcome: string) => {
    const [line] = await lines(`tuckshop_append_duration_seconds_count{outcome="${outcome}"}`)
    return line?.split(' ')[1]
  }

  describe('a measure', () => {
    test('is looked up when somebody scrapes, by label where it has one', async () => {
      let waiting = 1
      addMeasures(registry, silentLog, [
        { name: 'mails', help: 'mails', value: () => Promise.resolve(waiting) },
        { name: 'jobs', help: 'jobs', label: 'state', values: () => Promise.resolve({ waiting, failed: 0 }) },
      ])
      expect(await lines('mails')).toEqual(['mails 1'])
      waiting = 2
      expect(await lines('mails')).toEqual(['mails 2'])
      expect(await lines('jobs')).toEqual(['jobs{state="waiting"} 2', 'jobs{state="failed"} 0'])
    })

    test('a value that is no longer told is no longer shown', async () => {
      const told: Record<string, number>[] = [{ views: 3 }, {}]
      const values = () => Promise.resolve(told.shift()!)
      addMeasures(registry, silentLog, [{ name: 'lag', help: 'lag', label: 'projection', values }])
      expect(await lines('lag')).toEqual(['lag{projection="views"} 3'])
      expect(await lines('lag')).toEqual([])
    })

    test('that cannot be taken is left out, counted and logged; the others are there', async () => {
      const log = heardLog()
      addMeasures(registry, log, [
        { name: 'orders', help: 'orders', value: away },
        { name: 'attempts', help: 'attempts', label: 'state', values: away },
        { name: 'mails', help: 'mails', value: () => Promise.resolve(4) },
      ])
      await registry.metrics()
      expect([await lines('orders'), await lines('attempts{'), await lines('mails')]).toEqual([
        [],
        [],
        ['mails 4'],
      ])
      expect(await lines('tuckshop_measure_failures_total{measure="mails"}')).toEqual([
        'tuckshop_measure_failures_total{measure="mails"} 0',
      ])
      expect((await lines('tuckshop_measure_failures_total{measure="orders"}'))[0]).toMatch(/ [1-9]\d*$/)
      expect(log.lines[0]).toMatchObject({ level: 'warn', details: { measure: 'orders' } })
    })

    test('those that ask the database do so one after another, and what nobody waits for is not asked at all', async () => {
      jest.useFakeTimers()
      const asked: string[] = []
      const answers: ((value: number) => void)[] = []
      const slow = (name: string) => ({
        name,
        help: name,
        value: () => new Promise<number>((resolve) => (asked.push(name), answers.push(resolve))),
      })
      addMeasures(registry, silentLog, [slow('first'), slow('second'), slow('third')], inSequence())
      const page = registry.metrics()
      await jest.advanceTimersByTimeAsync(1)
      expect(asked).toEqual(['first'])
      answers[0]!(1)
      await jest.advanceTimersByTimeAsync(1)
      expect(asked).toEqual(['first', 'second'])
      await jest.advanceTimersByTimeAsync(3_000)
      expect((await page).split('\n').filter((line) => /^(first|second|third) /.test(line))).toEqual([
        'first 1',
      ])
      answers[1]!(2)
      await jest.advanceTimersByTimeAsync(1)
      expect(asked).toEqual(['first', 'second'])
      jest.useRealTimers()
    })

    test('that hangs does not hang the scrape', async () => {
      jest.useFakeTimers()
      addMeasures(registry, silentLog, [{ name: 'orders', help: 'orders', value: never }])
      const page = registry.metrics()
      await jest.advanceTimersByTimeAsync(3_000)
      jest.useRealTimers()
      expect(await page).not.toMatch(/^orders /m)
    })
  })

  describe('appends', () => {
    const meal = { id: '1', type: 'ordering.order-placed.v1', data: {}, metadata: {} as never }
    const appends: StreamAppend[] = [{ stream: 's', expectedRevision: -1, events: [meal, meal] }]

    test('are measured by how they end, and their events counted by type', async () => {
      const endings = [
        () => Promise.resolve('p'),
        () => Promise.reject(new WrongExpectedRevision('s', -1)),
        () => Promise.reject(new Error('disk full')),
      ]
      const store = measuredEventStore(
        { append: () => endings.shift()!() } as unknown as EventStore,
        registry,
      )
      expect(await store.append(appends)).toBe('p')
      await expect(store.append(appends)).rejects.toThrow(WrongExpectedRevision)
      await expect(store.append(appends)).rejects.toThrow('disk full')
      expect([await counted('done'), await counted('conflict'), await counted('failed')]).toEqual([
        '1',
        '1',
        '1',
      ])
      expect(await lines('tuckshop_events_appended_total{')).toEqual([
        'tuckshop_events_appended_total{type="ordering.order-placed.v1"} 2',
      ])
    })

    test('the wait for the read models is measured', async () => {
      await measuredWait(() => Promise.resolve(), registry)('p')
      expect(await lines('tuckshop_views_wait_seconds_count')).toEqual([
        'tuckshop_views_wait_seconds_count 1',
      ])
    })
  })

  describe('work', () => {
    const about = { jobId: '1', attempt: 1 }
    const cook = job({ name: 'cook', payload: z.object({}), attempts: 1, backoffMs: 1 })

    test('jobs are measured by name and by how a try ends; what they throw goes on', async () => {
      const endings = [
        () => Promise.resolve(),
        () => Promise.reject(new Refusal('too_late', 'Too late')),
        () => Promise.reject(new Error('no gas')),
      ]
      const [measured] = measuredWorks([work(cook, () => endings.shift()!())], registry)
      await measured!.handle({}, about)
      await expect(measured!.handle({}, about)).rejects.toThrow(Refusal)
      await expect(measured!.handle({}, about)).rejects.toThrow('no gas')
      expect(await lines('tuckshop_job_duration_seconds_count')).toEqual([
        'tuckshop_job_duration_seconds_count{job_name="cook",outcome="done"} 1',
        'tuckshop_job_duration_seconds_count{job_name="cook",outcome="refused"} 1',
        'tuckshop_job_duration_seconds_count{job_name="cook",outcome="failed"} 1',
      ])
    })

    test('a sweep tells when it last went well', async () => {
      jest.useFakeTimers({ now: 100_000 })
      const endings = [() => Promise.reject(new Error('away')), () => Promise.resolve()]
      const [sweep] = measuredSweeps([{ name: 'settle', run: () => endings.shift()!() }], registry)
      const at = async () => (await lines('tuckshop_sweep_last_success_seconds{'))[0]?.split(' ')[1]
      jest.setSystemTime(200_000)
      await expect(sweep!.run()).rejects.toThrow('away')
      expect(await at()).toBe('100')
      await sweep!.run()
      expect(await at()).toBe('200')
      jest.useRealTimers()
      expect(await lines('tuckshop_sweep_duration_seconds_count')).toEqual([
        'tuckshop_sweep_duration_seconds_count{sweep="settle",outcome="failed"} 1',
        'tuckshop_sweep_duration_seconds_count{sweep="settle",outcome="done"} 1',
      ])
    })
  })

  test('calls to the card provider are measured by the kind of their answer, and nothing of the payment is a label', async () => {
    const provider = {
      verify: () => Promise.resolve({ kind: 'unreachable', why: 'timeout', detail: null }),
      paymentPageUrl: (token: string) => `https://pay.example/${token}`,
    } as unknown as Parameters<typeof measuredProvider>[0]
    const measured = measuredProvider(provider, registry)
    await measured.verify('a-secret-token', { acknowledge: false })
    expect(measured.paymentPageUrl('t')).toBe('https://pay.example/t')
    expect(await lines('tuckshop_card_provider_duration_seconds_count')).toEqual([
      'tuckshop_card_provider_duration_seconds_count{call="verify",answer="unreachable"} 1',
    ])
    expect(await registry.metrics()).not.toContain('a-secret-token')
  })
})
