import type { Pool } from 'pg'
import { evolve, freeSlot, readSlotEvent, type MealSlot } from '#modules/ordering/slot/meal-slot'
import { lunchOrdered } from '#modules/ordering/published'
import type { RecordedEvent } from '#platform/event-store/event-store'
import type { Acknowledged } from './acknowledged'

/** Sentences about what does not hold; none when all is well. */
export type Broken = string[]

const few = (what: string, found: readonly string[]): Broken =>
  found.length === 0 ? [] : [`${what}: ${found.length}, such as ${found.slice(0, 3).join(', ')}`]

const idsOf = async (pool: Pool, text: string, ...values: unknown[]): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(text, values)
  return rows.map(({ id }) => id)
}

/** Every event of the store, in its order. */
export type Story = readonly Pick<RecordedEvent, 'stream' | 'type' | 'data'>[]

/** What must hold at any moment at which the read models have caught up. */
export const brokenNow = async (pool: Pool, story: Story, acknowledged: Acknowledged): Promise<Broken> => {
  const { placed, cancelled, completed, refunded, children, wrong } = acknowledged
  const absent = (ids: Iterable<string | number>, among: string) =>
    idsOf(
      pool,
      `select id from unnest($1::text[]) as wanted (id) where not exists (${among})`,
      [...ids].map(String),
    )
  return [
    ...few('wrong answers', wrong),
    ...few('acknowledged orders that are gone', await absent(placed.keys(), orderIs(anyStatus))),
    ...few('orders that are there twice', orderedTwice(story)),
    ...few('children with two meals on one day', await idsOf(pool, twoMeals)),
    ...few('cancellations undone', await absent(cancelled, orderIs("'cancelled', 'refunded'"))),
    ...few('completions undone', await absent(completed, orderIs("'completed'"))),
    ...few(
      'refunds undone',
      await absent(refunded, 'select from refunds.refunds r where r.id = wanted.id and r.owed < r.amount'),
    ),
    ...few(
      'children gone',
      await absent(children, 'select from identity.students s where s.id = wanted.id::int'),
    ),
  ]
}

const orderIs = (statuses: string) =>
  `select from ordering.orders o where o.id = wanted.id and o.status in (${statuses})`

const anyStatus = "'pending', 'completed', 'cancelled', 'refunded'"

const orderedTwice = (story: Story): string[] => {
  const once = new Set<string>()
  return story.flatMap(({ type, data }) => {
    if (type !== lunchOrdered.type) return []
    const { orderId } = data as { orderId: string }
    if (once.has(orderId)) return [orderId]
    once.add(orderId)
    return []
  })
}

const twoMeals = `select concat_ws('.', cycle_id, student_id, week, day) as id from ordering.orders
  where status in ('pending', 'completed') group by 1 having count(*) > 1`

/** Checkouts that have yet to come to an end; none are left once the sweep has run. */
export const unsettled = (pool: Pool): Promise<string[]> =>
  idsOf(
    pool,
    `select id from payments.attempts
     where status in ('draft', 'initiated', 'processing', 'paid', 'recovering', 'releasing')
       or (not acknowledged and status in ('fulfilled', 'blocked', 'refund_due') and token is not null)
     union all select id from (${cancelledWithoutRefund}) waiting`,
  )

const cancelledWithoutRefund = `select null::uuid as id from ordering.orders o
  where o.status = 'cancelled' and o.remedy = 'refund' and o.payment_status = 'confirmed' and o.price > 0
    and not exists (select from refunds.refunds r where r.order_id = o.id)`

/** What must hold once every payment has run out or been settled; `now` is the school's time. */
export const brokenAfterSettling = async (
  pool: Pool,
  story: Story,
  acknowledged: Acknowledged,
  now: Date,
): Promise<Broken> => [
  ...few('unsettled checkouts', await unsettled(pool)),
  ...few('payments without meals or somebody to decide', await idsOf(pool, paidForNothing)),
  ...few('meals that nobody paid for', await idsOf(pool, unpaidMeals)),
  ...few('payments that the provider has not kept', await notKept(pool, acknowledged)),
  ...few('reservations of dead checkouts', reservedAfter(story, now)),
]

// What the provider took money for, as its own book tells; each line is a meal, or waits under Order Recovery.
const paidForNothing = `
  select t.token as id from payments.sandbox_transactions t left join payments.attempts a on a.token = t.token
  where t.state ->> 'outcome' in ('paid', 'at-bank') and (a.id is null or not (
    (a.status = 'fulfilled' and (select count(*) from ordering.orders o where o.attempt_id = a.id)
      = jsonb_array_length(a.attempt -> 'checkout' -> 'lines'))
    or (a.status = 'blocked' and a.recovery_status is not null)
    or (a.status in ('refund_due', 'refunded')
      and exists (select from refunds.refunds r where r.attempt_id = a.id))))`

const unpaidMeals = `
  select o.id from ordering.orders o join payments.attempts a on a.id = o.attempt_id
  where a.kind = 'card' and not exists (select from payments.sandbox_transactions t
    where t.token = a.token and t.state ->> 'outcome' in ('paid', 'at-bank'))`

const notKept = (pool: Pool, { paid }: Acknowledged) =>
  idsOf(
    pool,
    `select id from unnest($1::text[]) as wanted (id) where not exists (select from payments.sandbox_transactions t
       where t.token = wanted.id and t.state ->> 'outcome' = 'paid')`,
    [...paid],
  )

/** Days that are still kept for a checkout, by the events themselves. */
const reservedAfter = (story: Story, now: Date): string[] => {
  const slots = new Map<string, MealSlot>()
  for (const { stream, ...stored } of story) {
    const event = stream.startsWith('mealSlot-') ? readSlotEvent(stored) : null
    if (event) slots.set(stream, evolve(slots.get(stream) ?? freeSlot, event))
  }
  return [...slots].flatMap(([stream, slot]) =>
    slot.status === 'reserved' && new Date(slot.until) > now ? [stream] : [],
  )
}
