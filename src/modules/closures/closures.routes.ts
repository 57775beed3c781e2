import * as contract from '#contracts/closures'
import { concerns, isForEverybody } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { userIdOf } from '#kernel/event'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import type { OrderFacts } from '#modules/ordering/index'
import { knowsItsKey, route, withFeature, type Route } from '#platform/http/route'
import { ordersConcerned } from './carry-out-closure.commands'
import { leftOrders, cancelledOrders, isPaid, type ClosuresNeeds } from './closed-orders.rows'
import { closableDates, whomOf, type closureCommands } from './closures.commands'
import {
  canUndo,
  allClosures,
  closureNow,
  closuresOfDates,
  type Closure,
  type ClosureNow,
  type LeftOrder,
} from './closures.rows'
import { refusal } from './refusals'

export const closureRoutes = (
  commands: ReturnType<typeof closureCommands>,
  needs: ClosuresNeeds,
): Route[] => [
  route(contract.cycleDays, withFeature('cycles'), ({ params }) => cycleDays(needs, params.id)),

  route(contract.previewClosure, withFeature('cycles'), async ({ params, body }) => {
    const whom = whomOf(body)
    const dates = await closableDates(needs, params.id, body.dates, whom)
    const [orders, paymentsUnderWay] = await Promise.all([
      ordersConcerned(needs, { dates, ...whom }),
      needs.payments.cardPaymentsUnderWay(dates, (child) => concerns(whom, child)),
    ])
    return { ...previewOf(orders), paymentsUnderWay }
  }),

  route(contract.closeDays, withFeature('cycles'), async (call) => {
    const { params, body, idempotencyKey, by } = call
    const id = await commands.closeDays({ cycleId: params.id, ...body, idempotencyKey }, by)
    return closureReply(needs, id)
  }),

  route(contract.getClosure, withFeature('cycles'), ({ params }) => closureReply(needs, params.id)),

  route(
    contract.undoClosure,
    withFeature('cycles'),
    async ({ params, by }) => {
      const { id } = await storedClosure(needs, params.id)
      await commands.undo(id, by)
      return undoneReply(needs, await storedClosure(needs, id))
    },
    knowsItsKey,
  ),

  route(contract.listClosures, withFeature('cycles'), () => closureList(needs)),
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const storedClosure = async ({ database }: ClosuresNeeds, id: string): Promise<ClosureNow> => {
  const closure = uuid.test(id) ? await closureNow(database.knex, id) : null
  if (!closure) throw refusal('closure_not_found')
  return closure
}

const closureReply = async (
  needs: ClosuresNeeds,
  id: string,
): Promise<ReplyOf<typeof contract.getClosure>> => {
  const closure = await storedClosure(needs, id)
  const [left, notTold, owed] = await Promise.all([
    leftOrders(needs.database.knex, [id], 'closing'),
    needs.identity.usersWithoutAddress(closure.families),
    owedByClosures(needs, [id]),
  ])
  const reply = replyOf(closure, owed.get(id) ?? 0, left.get(id) ?? [], notTold.length)
  return closure.undoneAt ? { ...reply, undone: await undoneReply(needs, closure) } : reply
}

const undoneReply = async (
  needs: ClosuresNeeds,
  { id, restored, familiesBack }: ClosureNow,
): Promise<ReplyOf<typeof contract.undoClosure>> => {
  const [left, notTold] = await Promise.all([
    leftOrders(needs.database.knex, [id], 'undoing'),
    needs.identity.usersWithoutAddress(familiesBack),
  ])
  return {
    restored,
    notRestored: left.get(id) ?? [],
    families: familiesBack.length,
    notTold: notTold.length,
  }
}

const replyOf = (closure: ClosureNow, owed: Ngwee, skipped: LeftOrder[], notTold: number) => ({
  id: closure.id,
  dates: closure.dates,
  done: closure.done,
  total: closure.total,
  cancelled: closure.cancelled,
  unpaidCancelled: closure.unpaidCancelled,
  owed: kwachaFromNgwee(owed),
  families: closure.families.length,
  notTold,
  skipped,
})

const closureList = async (needs: ClosuresNeeds): Promise<ReplyOf<typeof contract.listClosures>> => {
  const closures = await allClosures(needs.database.knex)
  const ids = closures.map(({ id }) => id)
  const [left, owed, withoutAddress, nameOf] = await Promise.all([
    leftOrders(needs.database.knex, ids, 'closing'),
    owedByClosures(needs, ids),
    needs.identity.usersWithoutAddress([...new Set(closures.flatMap(({ families }) => families))]),
    namesOf(needs, closures),
  ])
  const isWithout = new Set(withoutAddress)
  const today = schoolMoment(needs.now(), needs.zone).date
  return {
    data: closures.map((closure) => ({
      ...replyOf(
        closure,
        owed.get(closure.id) ?? 0,
        left.get(closure.id) ?? [],
        closure.families.filter((userId) => isWithout.has(userId)).length,
      ),
      cycleId: closure.cycleId,
      reason: closure.reason,
      remedy: closure.remedy,
      grades: [...closure.grades],
      classes: [...closure.classes],
      closedAt: closure.closedAt.toISOString(),
      closedBy: nameOf(closure.closedBy),
      undoneAt: closure.undoneAt?.toISOString() ?? null,
      undoneBy: closure.undoneBy && nameOf(closure.undoneBy),
      canUndo: canUndo(closure, today),
    })),
  }
}

const namesOf = async ({ identity }: ClosuresNeeds, closures: readonly Closure[]) => {
  const actors = closures.flatMap(({ closedBy, undoneBy }) => [closedBy, undoneBy ?? closedBy])
  const usernames = await identity.usernamesOf([...new Set(actors.flatMap((one) => userIdOf(one) ?? []))])
  return (actor: string): string => usernames.get(userIdOf(actor) ?? 0) ?? 'System'
}

const cycleDays = async (
  needs: ClosuresNeeds,
  cycleId: number,
): Promise<ReplyOf<typeof contract.cycleDays>> => {
  const days = await needs.cycles.daysOf(cycleId)
  if (!days) throw refusal('cycle_not_found')
  const dates = days.map(({ date }) => date)
  const [closures, totals] = await Promise.all([
    closuresOfDates(needs.database.knex, dates),
    needs.ordering.totals({ dates, state: 'active' }, 'date'),
  ])
  const nameOf = await namesOf(needs, closures)
  const today = schoolMoment(needs.now(), needs.zone).date
  const standing = (closure: Closure) => ({
    id: closure.id,
    reason: closure.reason,
    closedAt: closure.closedAt.toISOString(),
    closedBy: nameOf(closure.closedBy),
    canUndo: canUndo(closure, today),
  })
  return {
    days: days.map((day) => {
      const here = closures.filter(({ date }) => date === day.date)
      const whole = here.find(isForEverybody)
      const { orders, unpaid, revenue } = totals.get(day.date) ?? { orders: 0, unpaid: 0, revenue: 0 }
      return {
        ...day,
        closure: whole ? standing(whole) : null,
        closures: here
          .filter((one) => !isForEverybody(one))
          .map((one) => ({ ...standing(one), grades: [...one.grades], classes: [...one.classes] })),
        orders,
        unpaid,
        amount: kwachaFromNgwee(revenue),
      }
    }),
  }
}

const previewOf = (standing: readonly OrderFacts[]) => {
  const pending = standing.filter(({ status }) => status !== 'completed')
  const paid = pending.filter(isPaid)
  return {
    orders: pending.length,
    students: new Set(pending.map(({ studentId }) => studentId)).size,
    families: new Set(pending.map(({ userId }) => userId)).size,
    unpaid: pending.length - paid.length,
    completed: standing.length - pending.length,
    paidAmount: kwachaFromNgwee(paid.reduce((sum, { price }) => sum + price, 0)),
  }
}

/** Money owed by each closure, whatever went back since. Before a refund or credit is opened, the amount paid counts. */
const owedByClosures = async (
  { database, refunds, credit, payments }: ClosuresNeeds,
  closureIds: readonly string[],
): Promise<ReadonlyMap<string, Ngwee>> => {
  const orders = await cancelledOrders(database.knex, closureIds)
  const orderIds = orders.map(({ id }) => id)
  const [refunded, given, late] = await Promise.all([
    refunds.amountsOfOrders(orderIds),
    credit.givenForOrders(orderIds),
    payments.owedForClosures(closureIds),
  ])
  const owed = new Map(late)
  for (const { id, closureId, price, isPaid } of orders) {
    const { owed: asCredit, before } = given.get(id) ?? { owed: 0, before: 0 }
    const settled = (refunded.get(id) ?? 0) + asCredit
    const expected = isPaid ? Math.max(0, price - before) : 0
    owed.set(closureId, (owed.get(closureId) ?? 0) + (settled || expected))
  }
  return owed
}
