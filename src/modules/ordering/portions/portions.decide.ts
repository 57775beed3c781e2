import { Map as ImmutableMap } from 'immutable'
import type { Decider } from '#kernel/event'
import { refusal } from '../refusals'
import * as events from './events'
import {
  evolve,
  portionDayId,
  readPortionEvent,
  type Holder,
  type PortionDay,
  type PortionEvent,
  type Portions,
} from './portions'

type Owner = PortionDay & { studentId: number; attemptId: string; now: Date }

/** `until` null: an order. `standing`: students with a live order. `hanging`: holders without an order after a crash. */
export type TakePortion = Owner & {
  kind: 'take'
  until: string | null
  limit: number
  standing: ReadonlySet<number>
  hanging: ReadonlySet<Holder>
}
type GivePortion = Owner & { kind: 'give' }

const isLive = ({ until }: Holder, now: Date) => until === null || Date.parse(until) > now.getTime()

/** Students who count against the limit. */
export const takenBy = (
  portions: Portions,
  { now, standing, hanging }: Pick<TakePortion, 'now' | 'standing' | 'hanging'>,
): Set<number> => {
  const holders = [...portions].filter(([, holder]) => isLive(holder, now) && !hanging.has(holder))
  return new Set([...standing, ...holders.map(([id]) => id)])
}

// Renews a holder whose order comes later than this, so that nobody reclaims it.
const renewMs = 60_000

/** After this time a portion without its order is left over from a crash. */
export const hangsAfterMs = 600_000

const age = ({ at }: Holder, now: Date) => now.getTime() - Date.parse(at)

const decide = (command: TakePortion | GivePortion, portions: Portions): PortionEvent[] =>
  command.kind === 'take' ? take(command, portions) : give(command, portions)

const take = (command: TakePortion, portions: Portions): PortionEvent[] => {
  const { studentId, attemptId, until, now, limit, hanging } = command
  const own = portions.get(studentId)
  const isOwn = own?.attemptId === attemptId && isLive(own, now) && !hanging.has(own)
  if (isOwn && own.until === null)
    return until === null && age(own, now) > renewMs ? [events.portionOrdered(portionOf(command))] : []
  if (isOwn && until !== null && own.until! >= until) return []
  const others = takenBy(portions, command)
  others.delete(studentId)
  if (!isOwn && others.size >= limit) throw refusal('sold_out')
  return [
    ...(isOwn ? [] : givenBack(command, portions)),
    until === null
      ? events.portionOrdered(portionOf(command))
      : events.portionReserved({ ...portionOf(command), until }),
  ]
}

/** Reclaims leftovers of crashes. */
const givenBack = ({ itemId, date, hanging, now }: TakePortion, portions: Portions): PortionEvent[] =>
  [...portions]
    .filter(([, holder]) => hanging.has(holder))
    .map(([studentId, { attemptId }]) =>
      events.portionReleased(portionOf({ itemId, date, studentId, attemptId, now })),
    )

const give = (command: GivePortion, portions: Portions): PortionEvent[] =>
  portions.get(command.studentId)?.attemptId === command.attemptId
    ? [events.portionReleased(portionOf(command))]
    : []

const portionOf = ({ itemId, date, studentId, attemptId, now }: Owner) => ({
  menuItemId: itemId,
  date,
  studentId,
  attemptId,
  at: now.toISOString(),
})

/** One limited item on one date. */
export const portionStream = {
  streamOf: (day: PortionDay): string => `portions-${portionDayId(day)}`,
  read: readPortionEvent,
  initial: ImmutableMap() as Portions,
  evolve,
  decide,
} satisfies Decider<Portions, TakePortion | GivePortion, PortionEvent> & Record<string, unknown>
