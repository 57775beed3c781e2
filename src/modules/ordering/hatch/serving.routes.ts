import { notCollected, sendMarks, serving } from '#contracts/serving'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import { route, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import type { servingCommands } from './serving.commands'
import { withEaters } from '../orders/eaters.rows'
import { byClass, servedOn, type LunchServed } from './serving.rows'

type ServingNeeds = Pick<OrderingNeeds, 'database' | 'now' | 'zone'> & {
  identity: Pick<OrderingNeeds['identity'], 'childrenNow' | 'healthOf' | 'usernamesOf'>
}

/** 500 marks with notes of 200 characters each. */
const largestQueue = 1024 * 1024

/** Handing out: what there is to give, what devices tell of it, and what nobody came for (kitchen-and-hatch.md section 3). */
export const servingRoutes = (
  needs: ServingNeeds,
  { keepMarks }: ReturnType<typeof servingCommands>,
): Route[] => [
  route(serving, withFeature('kitchen'), async ({ query }) => {
    const { date, at, lunches } = await servedNow(needs, query.date)
    const nameOf = await namesOf(needs, marksOf(lunches))
    return { date, at, lunches: lunches.map((lunch) => lunchReply(lunch, nameOf)) }
  }),

  route(notCollected, withFeature('kitchen'), async ({ query }) => {
    const { date, at, lunches } = await servedNow(needs, query.date)
    const left = lunches.filter(({ mark }) => mark?.kind !== 'given')
    const nameOf = await namesOf(needs, marksOf(left))
    return { date, at, classes: byClass(left.map((lunch) => lunchReply(lunch, nameOf))) }
  }),

  route(
    sendMarks,
    withFeature('kitchen'),
    async ({ body, user: { userId }, actor, correlationId }) => {
      const results = await keepMarks(body.marks, { userId, actor, correlationId })
      const nameOf = await namesOf(
        needs,
        results.flatMap(({ other }) => other ?? []),
      )
      return { results: results.map((one) => ({ ...one, other: one.other && told(one.other, nameOf) })) }
    },
    { maxBodyBytes: largestQueue },
  ),
]

const servedNow = async (needs: ServingNeeds, asked: SchoolDate | undefined) => {
  const date = asked ?? schoolMoment(needs.now(), needs.zone).date
  const { at, lunches: found } = await servedOn(needs.database.knex, date)
  const lunches = await withEaters(needs, found, ({ orderId }) => orderId)
  return { date, at: at?.toISOString() ?? null, lunches }
}

const marksOf = (lunches: readonly Pick<LunchServed, 'mark'>[]) => lunches.flatMap(({ mark }) => mark ?? [])

/** Who made marks, by their usernames. */
const namesOf = async ({ identity }: ServingNeeds, marks: readonly { by: number }[]) => {
  const names = await identity.usernamesOf([...new Set(marks.map(({ by }) => by))])
  return (userId: number): string => names.get(userId) ?? 'System'
}
type NameOf = Awaited<ReturnType<typeof namesOf>>

const lunchReply = <Lunch extends Pick<LunchServed, 'mark'>>({ mark, ...lunch }: Lunch, nameOf: NameOf) => ({
  ...lunch,
  mark: mark && { ...told(mark, nameOf), note: mark.note },
})

const told = (
  { markId, kind, by, deviceAt }: Omit<NonNullable<LunchServed['mark']>, 'note'>,
  nameOf: NameOf,
) => ({
  markId,
  kind,
  by: nameOf(by),
  at: deviceAt,
})
