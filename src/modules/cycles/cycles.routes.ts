import * as contract from '#contracts/cycles'
import type { Now } from '#platform/clock'
import { route, signedIn, withFeature } from '#platform/http/route'
import { calendar, todayAt } from './calendar.decide'
import type { Today } from './calendar.decide'
import { defaultCycleLength } from './cycle'
import type { Cutoff, Cycle } from './cycle'
import { cycleHistoryRoute } from './cycle-history.routes'
import type { CycleHistoryNeeds } from './cycle-history.routes'
import { cycleReply } from './cycle-reply'
import type { cycleCommands } from './cycles.commands'

export type CycleReadNeeds = CycleHistoryNeeds & {
  now: Now
  zone: string
  /** Every cycle, the active one first, then the newest first; and the cutoff as it is set. */
  calendar: () => Promise<{ cycles: Cycle[]; cutoff: Cutoff }>
}

/** The active cycle carries its calendar as the server sees it now. */
const cycleReplyAt = (cycle: Cycle, today: Today) =>
  cycle.isActive
    ? { ...cycleReply(cycle), weeks: calendar(cycle, today), today: today.date }
    : cycleReply(cycle)

type Known = Awaited<ReturnType<CycleReadNeeds['calendar']>>

/** What `make` makes of a calendar is the same until the calendar changes, the cutoff passes or the day ends. */
const onePerDay = <Made>(make: (known: Known, today: Today) => Made) => {
  let last: { known: Known; today: Today; made: Made } | null = null
  return (known: Known, today: Today): Made => {
    const { date, cutoffPassed } = today
    const same = last?.known === known && last.today.date === date && last.today.cutoffPassed === cutoffPassed
    if (last === null || !same) last = { known, today, made: make(known, today) }
    return last.made
  }
}

export const cycleRoutes = (commands: ReturnType<typeof cycleCommands>, needs: CycleReadNeeds) => {
  const today = (cutoff: Cutoff) => todayAt(needs.now(), cutoff, needs.zone)
  const reply = async (cycle: Cycle) => cycleReplyAt(cycle, today((await needs.calendar()).cutoff))

  const everyCycle = onePerDay(({ cycles }, now) => cycles.map((cycle) => cycleReplyAt(cycle, now)))

  return [
    route(
      contract.listCycles,
      signedIn,
      async () => {
        const known = await needs.calendar()
        return everyCycle(known, today(known.cutoff))
      },
      { recentSessionDoes: true },
    ),
    route(contract.createCycle, withFeature('cycles'), async ({ body }) =>
      reply(await commands.create(body)),
    ),
    cycleHistoryRoute(needs),
    route(contract.deactivateCycle, withFeature('cycles'), async ({ params }) => {
      await commands.deactivate(params.id)
      return { message: 'Order cycle deactivated' }
    }),
    route(contract.reactivateCycle, withFeature('cycles'), async ({ params }) =>
      reply(await commands.reactivate(params.id)),
    ),
    route(contract.getCycleLength, signedIn, async () => {
      const active = (await needs.calendar()).cycles.find(({ isActive }) => isActive)
      return { cycleLength: active?.cycleLength ?? defaultCycleLength }
    }),
  ]
}
