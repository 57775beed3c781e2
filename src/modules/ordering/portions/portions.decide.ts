import { Map as ImmutableMap } from 'immutable'
import { z } from 'zod'
import { eventType, eventReader, type EventOf, type Decider } from '#kernel/event'
import { rowId } from '#kernel/id'
import { mealLine } from '#kernel/meal-line'
import type { SchoolDate } from '#kernel/school-time'
import { refusal } from '../refusals'
import { dayOfOrder } from '../slot/meal-slot'
import type { Order } from '../slot/order'

const at = z.iso.datetime()
const portion = {
  menuItemId: rowId,
  date: mealLine.shape.mealDate,
  studentId: rowId,
  attemptId: z.uuid(),
  at,
}

/** A card checkout of an account holds a portion of a limited item for a student until `until`. Early ones have no `userId`. */
export const portionReserved = eventType(
  'ordering.portion-reserved.v1',
  z.strictObject({ ...portion, until: at, userId: rowId.optional() }),
)
/** A portion of a limited item belongs to an order of a student. */
export const portionOrdered = eventType('ordering.portion-ordered.v1', z.strictObject(portion))
/** A portion of a limited item can be ordered again. */
export const portionReleased = eventType('ordering.portion-released.v1', z.strictObject(portion))

export const portionEventTypes = [portionOrdered, portionReleased, portionReserved] as const
export type PortionEvent = EventOf<(typeof portionEventTypes)[number]>
const readPortionEvent = eventReader(...portionEventTypes)

export type PortionDay = { itemId: number; date: SchoolDate }

export const portionDayId = ({ itemId, date }: PortionDay): string => `${itemId}.${date}`

/** Where the item is limited. */
export const portionOfOrder = ({
  kitchen_id,
  item_id: itemId,
  attempt_id: attemptId,
}: Pick<Order, 'kitchen_id' | 'item_id' | 'attempt_id'>): PortionDay & {
  studentId: number
  attemptId: string
} => {
  const { studentId, date } = dayOfOrder({ kitchen_id })
  return { itemId, date, studentId, attemptId }
}

export type Holder = { attemptId: string; until: string | null; userId?: number | undefined; at: string }

/** By student, since the item became limited. */
export type Portions = ImmutableMap<number, Holder>

const evolve = (portions: Portions, { type, data }: PortionEvent): Portions => {
  const { studentId, attemptId, at } = data
  switch (type) {
    case portionReserved.type:
      return portions.set(studentId, { attemptId, until: data.until, userId: data.userId, at })
    case portionOrdered.type:
      return portions.set(studentId, { attemptId, until: null, at })
    case portionReleased.type:
      return portions.delete(studentId)
  }
}

type Owner = PortionDay & { studentId: number; attemptId: string; now: Date }

/** `until` null: an order; else `userId` holds it. `standing`: students with a live order. `hanging`: holders without an order after a crash. */
type TakePortion = Owner & {
  kind: 'take'
  until: string | null
  userId?: number | undefined
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

/** One account cannot empty a limited dish without paying. */
const maxHeldByAccount = 2

const holdsEnough = ({ userId, studentId, now }: TakePortion, portions: Portions): boolean =>
  portions
    .delete(studentId)
    .filter((holder) => holder.userId === userId && holder.until !== null && isLive(holder, now)).size >=
  maxHeldByAccount

/** A third portion of an account is not held, but ordered when it is paid for and left. */
const take = (command: TakePortion, portions: Portions): PortionEvent[] => {
  const { studentId, attemptId, until, userId, now, limit, hanging } = command
  const own = portions.get(studentId)
  const isOwn = own?.attemptId === attemptId && isLive(own, now) && !hanging.has(own)
  if (isOwn && own.until === null)
    return until === null && age(own, now) > renewMs ? [portionOrdered(portionData(command))] : []
  if (isOwn && until !== null && own.until! >= until) return []
  const others = takenBy(portions, command)
  others.delete(studentId)
  if (!isOwn && others.size >= limit) throw refusal('sold_out')
  if (until !== null && userId !== undefined && holdsEnough(command, portions)) return []
  return [
    ...(isOwn ? [] : givenBack(command, portions)),
    until === null
      ? portionOrdered(portionData(command))
      : portionReserved({ ...portionData(command), until, userId }),
  ]
}

const givenBack = ({ itemId, date, hanging, now }: TakePortion, portions: Portions): PortionEvent[] =>
  [...portions]
    .filter(([, holder]) => hanging.has(holder))
    .map(([studentId, { attemptId }]) =>
      portionReleased(portionData({ itemId, date, studentId, attemptId, now })),
    )

const give = (command: GivePortion, portions: Portions): PortionEvent[] =>
  portions.get(command.studentId)?.attemptId === command.attemptId
    ? [portionReleased(portionData(command))]
    : []

const portionData = ({ itemId, date, studentId, attemptId, now }: Owner) => ({
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
