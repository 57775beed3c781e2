import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { classKey, isForEverybody } from '#contracts/cycles'
import { classNamed } from '#contracts/names'
import type { Remedy } from '#kernel/money'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { Whom } from '#modules/cycles/index'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { Position } from '#platform/event-store/event-store'
import { leaveToSweep } from '#platform/jobs/job'
import type { Ports } from '#platform/ports'
import { carryOut, carryOutJob, recordActiveOrders } from './carry-out-closure.commands'
import type { ClosuresNeeds } from './closed-orders.rows'
import {
  canUndo,
  closureOfRequest,
  isClosedAlready,
  isMadeAlready,
  lockedClosure,
  dropUncancelled,
  type Closure,
} from './closures.rows'
import { datesRefused, refusal } from './refusals'

/** Absent: everybody. */
type Asked = { grades?: Whom['grades'] | undefined; classes?: Whom['classes'] | undefined }

export const whomOf = ({ grades = [], classes = [] }: Asked): Whom => ({
  grades,
  classes: [...new Map(classes.map((name) => [classKey(name), classNamed(name)])).values()],
})

type CloseDays = Asked & {
  cycleId: number
  dates: readonly SchoolDate[]
  reason: string
  remedy: Remedy
  idempotencyKey: string | null
}

const requestMs = 3_000
const waitMs = 1_500

/** Close and undo answer within 5 s, finished or not. */
export const closureCommands = (needs: ClosuresNeeds) => {
  const { database, cycles, now, zone } = needs

  /** Blocks the days before cancelling, so that nobody orders meanwhile. */
  const closeDays = async (wish: CloseDays, by: By): Promise<string> => {
    const until = performance.now() + requestMs
    const { cycleId, dates, reason, remedy, idempotencyKey } = wish
    const whom = whomOf(wish)
    const some = isForEverybody(whom) ? {} : whom
    const requestKey = idempotencyKey === null ? null : `${by.actor} ${idempotencyKey}`
    const request = JSON.stringify({ cycleId, dates, reason, remedy, ...some })
    const madeBefore = requestKey === null ? null : await madeByRequest(database.knex, requestKey, request)
    if (madeBefore !== null) return madeBefore
    const closable = await closableDates(needs, cycleId, dates, whom)
    const closure = { ...whom, id: v7(), cycleId, dates: closable, reason, remedy }
    const stamp = { ...by, at: now() }
    try {
      await database.knex.transaction(async (transaction) => {
        await cycles.insertClosure(transaction, { ...closure, planned: false, requestKey, request }, stamp)
        await recordClosure(transaction, closure, stamp, 'closed')
      })
    } catch (error) {
      if (isMadeAlready(error) && requestKey !== null)
        return (await madeByRequest(database.knex, requestKey, request)) ?? closure.id
      throw isClosedAlready(error) ? datesRefused('date_closed') : error
    }
    cycles.closedDatesChanged()
    const carriedOut = recordActiveOrders(needs, closure).then(() => carryOutSoon(needs, closure.id, until))
    await leaveToSweep(carriedOut, 'carrying out a closure', needs.log)
    return closure.id
  }

  /** Repeatable: continues. Throws `closure_not_found`, `closure_over`. */
  const undo = async (closureId: string, by: By): Promise<void> => {
    const until = performance.now() + requestMs
    const stamp = { ...by, at: now() }
    await database.knex.transaction(async (transaction) => {
      const closure = await lockedClosure(transaction, closureId)
      if (!closure) throw refusal('closure_not_found')
      if (closure.undoneAt) return
      if (!canUndo(closure, schoolMoment(now(), zone).date)) throw refusal('closure_over')
      await cycles.openDates(transaction, [closureId], stamp)
      await dropUncancelled(transaction, [closureId])
      if (isForEverybody(closure)) await cycles.removeBlockedDates(transaction, closure.dates)
      await recordClosure(transaction, closure, stamp, 'open')
    })
    cycles.closedDatesChanged()
    await leaveToSweep(carryOutSoon(needs, closureId, until), 'carrying out a closure', needs.log)
  }

  return { closeDays, undo }
}

const madeByRequest = async (knex: Knex, requestKey: string, request: string): Promise<string | null> => {
  const made = await closureOfRequest(knex, requestKey)
  if (made && made.request !== request) throw refusal('idempotency_key_reused')
  return made?.id ?? null
}

/** Unique and sorted. Throws a refusal at the field `dates`. */
export const closableDates = async (
  { cycles, now, zone }: ClosuresNeeds,
  cycleId: number,
  dates: readonly SchoolDate[],
  whom: Whom,
): Promise<SchoolDate[]> => {
  const [days, closures] = await Promise.all([cycles.daysOf(cycleId), cycles.standingClosures()])
  if (!days) throw refusal('cycle_not_found')
  const today = schoolMoment(now(), zone).date
  const wanted = [...new Set(dates)].toSorted()
  for (const date of wanted) {
    const day = days.find((one) => one.date === date)
    if (!day) throw datesRefused('date_outside_cycle', date)
    if (date < today) throw datesRefused('date_past', date)
    const isClosed =
      day.state === 'blocked' ||
      areAllNamed(
        whom,
        closures.filter((one) => one.date === date),
      )
    if (isClosed) throw datesRefused('date_closed', date)
  }
  return wanted
}

/** Every grade and class of it is closed for already. */
const areAllNamed = (whom: Whom, closures: readonly Whom[]): boolean => {
  const grades = new Set(closures.flatMap((one) => one.grades))
  const classes = new Set(closures.flatMap((one) => one.classes.map(classKey)))
  return (
    !isForEverybody(whom) &&
    whom.grades.every((grade) => grades.has(grade)) &&
    whom.classes.every((name) => classes.has(classKey(name)))
  )
}

const recordClosure = (
  transaction: Knex.Transaction,
  {
    id,
    dates,
    remedy,
    grades,
    classes,
  }: Pick<Closure, 'id' | 'remedy'> & Whom & { dates: readonly SchoolDate[] },
  stamp: By & { at: Date },
  became: 'closed' | 'open',
): Promise<void> => {
  const some = isForEverybody({ grades, classes }) ? {} : { grades: [...grades], classes: [...classes] }
  const closed = { dates: [...dates], remedy, ...some }
  const change =
    became === 'closed'
      ? { what: `Days closed: {reason:${id}}`, old: null, new: closed }
      : { what: `Days opened again: {reason:${id}}`, old: closed, new: null }
  return recordChanges(transaction, stamp, [{ kind: 'cycles', ...change }])
}

/** Works until `until`; the job does the rest and tells families. */
const carryOutSoon = async (needs: ClosuresNeeds, closureId: string, until: number): Promise<void> => {
  const position = await carryOut(needs)(closureId, until)
  const enqueued = needs.queue.enqueue(carryOutJob, { closureId }, { id: `closure-${v7()}` })
  await leaveToSweep(enqueued, 'telling families of a closure', needs.log)
  if (position !== null) await viewsIncludeWithin(needs, position, waitMs)
}

const viewsIncludeWithin = async ({ viewsInclude }: Ports, position: Position, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([viewsInclude(position), timeUp]).finally(() => clearTimeout(timer))
}
