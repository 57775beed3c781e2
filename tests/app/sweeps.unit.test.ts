import { startSweeps } from '../../src/app/service/worker'
import type { Locks } from '#platform/ports'
import { eventually } from '../support/eventually'
import { silentLog } from '../support/start-postgres'

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
