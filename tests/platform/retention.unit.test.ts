import { batchRows, maxBatches, removeOld, type Retention } from '#platform/retention'
import { silentLog } from '../support/start-postgres'

/** So many old rows, of which each call removes what it may. */
const heap = (name: string, rows: number) => {
  const asked: number[] = []
  const retention: Retention = {
    name,
    kept: 'a day',
    remove: async (atMost) => {
      asked.push(atMost)
      const removed = Math.min(rows, atMost)
      rows -= removed
      return removed
    },
  }
  return { retention, asked, left: () => rows }
}

const removed = new Map<string, number>()
const onRemoved = (name: string, rows: number) => void removed.set(name, (removed.get(name) ?? 0) + rows)
const needs = { log: silentLog, onRemoved }
beforeEach(() => removed.clear())

test('no statement removes more than a thousand rows, and it ends with the first that finds fewer', async () => {
  const sessions = heap('sessions', 2 * batchRows + 1)
  await removeOld([sessions.retention], needs)
  expect([batchRows, sessions.asked]).toEqual([1000, [1000, 1000, 1000]])
  expect([sessions.left(), removed.get('sessions')]).toEqual([0, 2001])
})

test('one run is bounded; the next one takes what it left over', async () => {
  const knocks = heap('knocks', maxBatches * batchRows + 7)
  await removeOld([knocks.retention], needs)
  expect(knocks.left()).toBe(7)
  await removeOld([knocks.retention], needs)
  expect([knocks.left(), removed.get('knocks')]).toEqual([0, 50_007])
})

test('one that fails does not keep the others, and is told at the end', async () => {
  const broken: Retention = {
    name: 'broken',
    kept: 'a day',
    remove: () => Promise.reject(new Error('deadlock')),
  }
  const mails = heap('mails', 3)
  await expect(removeOld([broken, mails.retention], needs)).rejects.toThrow('some old rows')
  expect(removed).toEqual(new Map([['mails', 3]]))
})
