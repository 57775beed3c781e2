import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { addStudent, currentUser } from '#contracts/identity'
import { placeOrders, type CartLine } from '#contracts/ordering'
import { CallRefused, registerParent } from '../../src/app/demo/client'
import type { Acknowledged } from '../crash/family'
import type { CrashSchool } from '../crash/school'

/** One order of one meal that was asked for; `status` is 0 without an answer. */
export type Tried = { at: number; ms: number; status: number; code: string }

export type Prober = Awaited<ReturnType<typeof startProber>>

const children = 80
const everyMs = 200
const weeks = [2, 3, 4, 5, 6]
const schoolDays = [1, 2, 3, 4, 5]

/** A family that orders one meal after another and notes how long each answer took; a refused one is asked again. */
export const startProber = async (url: string, school: CrashSchool, acknowledged: Acknowledged) => {
  const client = await registerParent(url, {
    username: 'prober',
    password: 'parent-password',
    name: 'prober',
    email: 'prober@example.org',
  })
  const { id: parentId } = await client.call(currentUser)
  const lines: CartLine[] = []
  for (let child = 1; child <= children; child += 1) {
    const body = { name: `Child ${child}`, grade: '3' as const, parentId }
    const { id: studentId } = await school.office.call(addStudent, { body })
    for (const weekNumber of weeks)
      for (const dayOfWeek of schoolDays)
        lines.push({
          studentId,
          weekNumber,
          dayOfWeek,
          menuItemId: school.free.id,
          category: 'vegetarian',
          sideDish: null,
          comments: '',
          originalPrice: 0,
        })
  }
  const tried: Tried[] = []
  const once = async (line: CartLine, key: string): Promise<boolean> => {
    const at = Date.now()
    const note = (status: number, code = '') => tried.push({ at, ms: Date.now() - at, status, code })
    try {
      const headers = { 'idempotency-key': key }
      const { orders } = await client.call(placeOrders, { body: [line], headers })
      for (const { id } of orders) acknowledged.placed.set(id, { key })
      note(201)
      return true
    } catch (error) {
      if (error instanceof CallRefused) note(error.status, error.body.code)
      else note(0)
      return false
    }
  }
  const closing = new AbortController()
  const { signal } = closing
  const working = (async () => {
    for (let line = lines.shift(); line && !signal.aborted; line = lines.shift()) {
      const key = randomUUID()
      while (!(await once(line, key)) && !signal.aborted) await pause(everyMs)
      await pause(everyMs)
    }
  })()
  return {
    tried,
    stop: async () => {
      closing.abort()
      await working
    },
  }
}

/** What came of the orders since then: the longest time without one that was taken, and those that were not. */
export const since = (tried: readonly Tried[], from: number) => {
  const all = tried.filter(({ at, ms }) => at + ms >= from)
  let [last, longestMs] = [from, 0]
  for (const { at, ms, status } of all) {
    if (status !== 201) continue
    longestMs = Math.max(longestMs, at + ms - last)
    last = at + ms
  }
  const refused = all.filter(({ status }) => status !== 201 && status !== 0)
  return {
    taken: all.filter(({ status }) => status === 201).length,
    longestMs,
    refused: refused.length,
    slowestMs: Math.max(0, ...refused.map(({ ms }) => ms)),
    otherCodes: refused.filter(({ code }) => code !== 'event_store_unavailable').map(({ code }) => code),
  }
}
