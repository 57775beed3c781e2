import type { Knex } from 'knex'
import * as contract from '#contracts/cycles'
import type { BodyOf } from '#contracts/endpoint'
import { schoolMoment, type CutoffOf, type SchoolDate } from '#kernel/school-time'
import { recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { answeredOnce, route, signedIn, withFeature } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { refuseChanged, withVersion } from '#platform/versions'
import {
  blockedDates,
  calendar,
  closedByCutoff,
  cutoffRule,
  endDate,
  nextChangeAt,
  todayAt,
  withClosedDates,
  defaultCycleLength,
  planCycle,
  type Cutoff,
  type Cycle,
  type CyclePlan,
} from './calendar.decide'
import { closedDates, closePlanned, endPlanned, wholeDates, type ClosedDay } from './closed-days.rows'
import {
  cyclesByIds,
  insertActiveCycle,
  isSecondActive,
  lockCutoff,
  setCycleActive,
  withoutSchool,
  writeCutoff,
} from './cycles.rows'
import { cycleActive, cycleNotFound } from './refusals'

type DateOrders = { date: SchoolDate; orders: number }

export type CyclesNeeds = Ports & {
  ordersOnDates: (from: SchoolDate, to: SchoolDate, exceptCycleId: number | null) => Promise<DateOrders[]>
}

type Calendar = { cycles: Cycle[]; cutoff: Cutoff; cutoffOf: CutoffOf; closures: ClosedDay[] }

export const cycleRoutes = (
  commands: ReturnType<typeof cycleCommands>,
  needs: CyclesNeeds,
  calendarNow: () => Promise<Calendar>,
) => {
  const withOverlap = async (cycle: Cycle) => ({
    ...cycleReplyNow(
      withClosedDates(cycle, await closedDates(needs.database.pool)()),
      (await calendarNow()).cutoffOf,
      needs,
    ),
    overlap: await overlapOf(needs, cycle, cycle.id),
  })
  return [
    route(contract.listCycles, signedIn, async () => {
      const { cycles, cutoffOf, closures } = await calendarNow()
      return cycles.map((cycle) => withClosures(cycleReplyNow(cycle, cutoffOf, needs), closures))
    }),
    route(
      contract.createCycle,
      withFeature('cycles'),
      async ({ body, by }) => withOverlap(await commands.create(body, by)),
      answeredOnce,
    ),
    route(contract.deactivateCycle, withFeature('cycles'), async ({ params, by }) => {
      await commands.deactivate(params.id, by)
      return { message: 'Order cycle deactivated' }
    }),
    route(contract.reactivateCycle, withFeature('cycles'), async ({ params, by }) => {
      return withOverlap(await commands.reactivate(params.id, by))
    }),
    route(contract.previewCycle, withFeature('cycles'), async ({ body }) => {
      const plan = await commands.preview(body)
      const { startDate } = plan
      const today = todayAt(needs.now(), (await calendarNow()).cutoffOf, needs.zone)
      const closedNow = await closedDates(needs.database.pool)()
      const weeks = calendar(withClosedDates(plan, closedNow), today)
      const closed = blockedDates(withClosedDates({ ...plan, blockedDays: [] }, closedNow))
      const overlap = await overlapOf(needs, plan, null)
      return { startDate, endDate: endDate(plan), weeks, overlap, closed }
    }),
    route(contract.getCycleLength, signedIn, async () => {
      const active = (await calendarNow()).cycles.find(({ isActive }) => isActive)
      return { cycleLength: active?.cycleLength ?? defaultCycleLength }
    }),
    route(contract.getCutoff, signedIn, async () => cutoffReply((await calendarNow()).cutoff)),
    route(contract.saveCutoff, withFeature('settings'), async ({ body, by }) => {
      return cutoffReply(await commands.setCutoff(body, by))
    }),
    route(contract.previewCutoff, withFeature('settings'), async ({ body }) => {
      const { cycles, cutoff, cutoffOf, closures } = await calendarNow()
      const active = cycles.find(({ isActive }) => isActive)
      if (!active) return { closes: [] }
      const next = cutoffRule(
        withTyped(cutoff, body),
        withoutSchool(active, wholeDates(closures)),
        needs.zone,
      )
      return { closes: closedByCutoff(active, todayAt(needs.now(), cutoffOf, needs.zone), next) }
    }),
  ]
}

const withTyped = (
  before: Cutoff,
  { hour, minute, daysBefore, schoolDaysOnly }: BodyOf<typeof contract.previewCutoff>,
): Cutoff => ({
  hour,
  minute,
  daysBefore: daysBefore ?? before.daysBefore,
  schoolDaysOnly: schoolDaysOnly ?? before.schoolDaysOnly,
})

const overlapOf = async (
  { ordersOnDates }: CyclesNeeds,
  plan: CyclePlan,
  cycleId: number | null,
): Promise<contract.CycleOverlap> => {
  const found = await ordersOnDates(plan.startDate, endDate(plan), cycleId)
  return {
    orders: found.reduce((sum, { orders }) => sum + orders, 0),
    dates: found.map(({ date }) => date),
  }
}

export const cycleReply = (cycle: Cycle): contract.OrderCycle => ({
  ...cycle,
  endDate: endDate(cycle),
  createdAt: cycle.createdAt.toISOString(),
})

const cycleReplyNow = (cycle: Cycle, cutoffOf: CutoffOf, { now, zone }: Ports): contract.OrderCycle => {
  if (!cycle.isActive) return cycleReply(cycle)
  const today = todayAt(now(), cutoffOf, zone)
  const nextChangeInMs = nextChangeAt(cycle, today, zone).getTime() - today.at.getTime()
  return { ...cycleReply(cycle), weeks: calendar(cycle, today), today: today.date, nextChangeInMs }
}

/** The dates that are closed for some, and why a date is closed for everybody. */
const withClosures = (cycle: contract.OrderCycle, closures: readonly ClosedDay[]): contract.OrderCycle => {
  const { startDate, endDate: lastDate, weeks } = cycle
  const told: contract.ClosedFor[] = closures.flatMap(({ date, grades, classes, reason }) =>
    reason !== null && date >= startDate && date <= lastDate
      ? [{ date, grades: [...grades], classes: [...classes], reason }]
      : [],
  )
  const whole = new Map(told.filter(contract.isForEverybody).map(({ date, reason }) => [date, reason]))
  const withReason = <Day extends { date: string }>(day: Day) => {
    const reason = whole.get(day.date)
    return reason === undefined ? day : { ...day, reason }
  }
  return {
    ...cycle,
    closedFor: told.filter((closure) => !contract.isForEverybody(closure)),
    ...(weeks && { weeks: weeks.map((week) => ({ ...week, days: week.days.map(withReason) })) }),
  }
}

const cutoffRecord = 'settings:cutoff-time'

const cutoffReply = (cutoff: Cutoff) => withVersion(cutoffRecord, shownCutoff(cutoff))

const shownCutoff = ({ hour, minute, ...days }: Cutoff): contract.CutoffTime => ({
  cutoffHour: hour,
  cutoffMinute: minute,
  ...days,
})

/** The database allows one active cycle: of two concurrent requests one is refused. */
const refusingSecondActive = async <Result>(change: () => Promise<Result>): Promise<Result> => {
  try {
    return await change()
  } catch (error) {
    throw isSecondActive(error) ? cycleActive() : error
  }
}

type Wish = Parameters<typeof planCycle>[0]

const cycleNamed = (id: number, startDate: string) => `Order cycle ${id} from ${startDate}`

export const cycleCommands = ({ database: { knex }, now, zone }: Ports) => {
  const stored = async (id: number): Promise<Cycle> => {
    const cycle = (await cyclesByIds(knex)([id])).get(id)
    if (!cycle) throw cycleNotFound()
    return cycle
  }

  const planned = (wish: Wish, at: Date) => planCycle(wish, { today: schoolMoment(at, zone).date, zone })

  const record = (transaction: Knex.Transaction, by: By, change: Change) =>
    recordChanges(transaction, { ...by, at: now() }, [change])

  const setActive = (id: number, isActive: boolean, by: By): Promise<void> =>
    knex.transaction(async (transaction) => {
      const before = await setCycleActive(transaction, id, isActive)
      if (!before) throw cycleNotFound()
      await record(transaction, by, {
        kind: 'cycles',
        what: `${cycleNamed(id, before.startDate)} ${isActive ? 'active again' : 'ended'}`,
        old: { isActive: before.isActive },
        new: { isActive },
      })
      if (before.isActive === isActive) return
      const stamp = { ...by, at: now() }
      if (isActive) {
        const cycle = (await cyclesByIds(transaction)([id])).get(id)!
        await closePlanned(transaction, { id, dates: blockedDates(cycle) }, stamp)
      } else await endPlanned(transaction, id, stamp)
    })

  return {
    /** Changes nothing; throws as `create` does. */
    preview: async (wish: Wish): Promise<CyclePlan> => planned(wish, now()),

    create: async (wish: Wish, by: By): Promise<Cycle> => {
      const at = now()
      const plan = planned(wish, at)
      const insert = () =>
        knex.transaction(async (transaction) => {
          const id = await insertActiveCycle(transaction, plan, at)
          const what = `${cycleNamed(id, plan.startDate)} made`
          await record(transaction, by, { kind: 'cycles', what, old: null, new: { ...plan } })
          await closePlanned(transaction, { id, dates: blockedDates(plan) }, { ...by, at })
          return id
        })
      return stored(await refusingSecondActive(insert))
    },

    deactivate: (id: number, by: By): Promise<void> => setActive(id, false, by),

    reactivate: async (id: number, by: By): Promise<Cycle> => {
      await refusingSecondActive(() => setActive(id, true, by))
      return stored(id)
    },

    setCutoff: ({ version, ...typed }: BodyOf<typeof contract.saveCutoff>, by: By): Promise<Cutoff> =>
      knex.transaction(async (transaction) => {
        const before = await lockCutoff(transaction)
        const after = withTyped(before, typed)
        const [now, yours] = [shownCutoff(before), shownCutoff(after)]
        await refuseChanged(transaction, { record: cutoffRecord, version, now, yours })
        await writeCutoff(transaction, after)
        const what = "Time at which a day's orders close changed"
        await record(transaction, by, {
          kind: 'settings',
          what,
          old: before,
          new: after,
          record: cutoffRecord,
        })
        return after
      }),
  }
}
