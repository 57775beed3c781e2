import { v7 } from 'uuid'
import type { Sweep } from '#platform/module'
import { dayMs } from '#platform/retention'
import type { LapsingOrder, PaymentsNeeds } from '../needs'
import { lapsedLetter, lapseWarning } from './lapse-letters'
import { noteLapseMails, noteLapseTold, unwrittenLapseMails, type LapseMail } from './lapse-mails.rows'
import { lapsingFrom } from './lapsing'
import { referencesOf } from './references.rows'
import { readLapsingSince } from './settings.rows'
import { openRowsThatCouldPay } from '../statements/open-rows.commands'

type Needs = Pick<PaymentsNeeds, 'database' | 'now' | 'zone'> & {
  ordering: Pick<
    PaymentsNeeds['ordering'],
    'ordersToLapse' | 'lapseOrders' | 'lapsedOrders' | 'lapsingOrders' | 'payableOrders'
  >
  identity: Pick<PaymentsNeeds['identity'], 'messageUser' | 'peopleOf'>
}

// A family is told of what lapsed also where nobody could write to it for so long.
const toldWithinDays = 7

const name = 'lapse-unpaid-meals'

/**
 * Where the school lets unpaid meals lapse: cancels those whose cutoff has come and that no row of a statement could pay for, and tells their families a day before and
 * when it has happened. Begins anew each time with what the orders say, so that a crash loses nothing.
 */
export const lapseUnpaidMeals = (needs: Needs): Sweep => ({
  name,
  run: async () => {
    const { knex } = needs.database
    const now = needs.now()
    const since = await readLapsingSince(knex)
    const lapsing = lapsingFrom(since, now, needs.zone)
    if (since !== null && lapsing !== null) {
      await lapseDue(needs, lapsing, now)
      await noteLapseMails(knex, 'warning', await ordersToWarnOf(needs, { since, lapsing, now }))
    }
    const toldSince = new Date(now.getTime() - toldWithinDays * dayMs)
    await noteLapseMails(knex, 'lapsed', await needs.ordering.lapsedOrders(toldSince))
    await writeMails(needs)
  },
})

/** A meal stays while an open row of a statement could pay for it: the office has yet to look. */
const lapseDue = async (needs: Needs, lapsing: Date, now: Date): Promise<void> => {
  const due = (await needs.ordering.ordersToLapse(lapsing, now)).map(({ id }) => id)
  if (due.length === 0) return
  const payable = await openRowsThatCouldPay(needs, due)
  const unpayable = due.filter((id) => !payable.has(id))
  const by = { actor: `job:${name}`, correlationId: v7() }
  if (unpayable.length > 0) await needs.ordering.lapseOrders(unpayable, by)
}

/** Who ordered within the last day, and knew that the meal lapses, was told so with how to pay it. */
const ordersToWarnOf = async (
  { ordering }: Needs,
  { since, lapsing, now }: { since: Date; lapsing: Date; now: Date },
): Promise<LapsingOrder[]> => {
  const from = new Date(Math.max(now.getTime() + 1, lapsing.getTime()))
  const orders = await ordering.ordersToLapse(from, new Date(now.getTime() + dayMs))
  return orders.filter(
    ({ placedAt, lapsesAt }) => placedAt.getTime() <= Math.max(lapsesAt.getTime() - dayMs, since.getTime()),
  )
}

/** One that cannot be written does not keep the others waiting. */
const writeMails = async (needs: Needs): Promise<void> => {
  const faults: unknown[] = []
  for (const mail of await unwrittenLapseMails(needs.database.knex))
    await writeMail(needs, mail).catch((fault: unknown) => faults.push(fault))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} families could not be told`)
}

/** Tells of what is still so: the same mail, however often it is written. */
const writeMail = async (needs: Needs, { id, userId, about, orderIds }: LapseMail): Promise<void> => {
  const { database, ordering, identity, zone, now } = needs
  const told = about === 'warning' ? 'unpaid' : 'lapsed'
  const orders = (await ordering.lapsingOrders(orderIds)).filter(({ state }) => state === told)
  const references = await referencesOf(database.knex, [...new Set(orders.map(({ attemptId }) => attemptId))])
  const message = about === 'warning' ? lapseWarning(orders, references, zone) : lapsedLetter(orders)
  if (orders.length > 0) await identity.messageUser(userId, message, `lapse-${id}`)
  await noteLapseTold(database.knex, id, now())
}
