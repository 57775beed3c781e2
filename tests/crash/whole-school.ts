import type { Pool } from 'pg'
import { v5 } from 'uuid'
import { eventReader } from '#kernel/event'
import { lunchOrdered } from '#modules/ordering/published'
import { type MealSlot, evolve, freeSlot, readSlotEvent } from '#modules/ordering/slot/meal-slot'
import { paymentDeclined, paymentExpired } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import {
  type PaymentAttempt,
  promptWaitMs,
  readAttemptEvent,
} from '#modules/payments/attempt/payment-attempt'
import { failedMail } from '#modules/payments/settlement/payment-letters'
import { orderedMail } from '#modules/payments/settlement/write-letters.reactor'
import { refundPaidBack } from '#modules/refunds/published'
import { readLog } from '#platform/event-store/event-store'
import { contextsOf } from '#platform/module'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { inSnapshot, tableRows, tablesOf } from '../../src/adapters/postgres/tables'
import { auditSchool } from '../../src/app/commands/audit-school'
import { compose } from '../../src/app/compose'
import { readConfig } from '../../src/app/config'
import { type Infrastructure, openInfrastructure } from '../../src/app/service/infrastructure'
import { caughtUp } from '../support/caught-up'
import { type Contents, contentsOf } from '../support/rebuild-equals-live'
import { logContents } from '../support/school-contents'
import { silentLog } from '../support/start-postgres'
import type { Acknowledged } from './family'
import { brokenPlans, brokenPlansAfterSettling, openWeeks, promptsOfPlans, weeksByState } from './plans'
import { type Place, variablesOf } from './processes'
import { few, within, type Broken, type Story } from './stage'

const idsOf = async (pool: Pool, text: string, ...values: unknown[]): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(text, values)
  return rows.map(({ id }) => id)
}

/** What must hold at any moment at which the read models have caught up. */
const brokenNow = async (pool: Pool, story: Story, acknowledged: Acknowledged): Promise<Broken> => {
  const { placed, cancelled, completed, refunded, children, wrong, sms } = acknowledged
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
    ...brokenPlans(story, { prompts: await promptsOfPlans(pool), sms }),
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
const unsettled = (pool: Pool): Promise<string[]> =>
  idsOf(
    pool,
    `select id from payments.attempts
     where status in ('draft', 'initiated', 'processing', 'paid', 'recovering', 'releasing')
       or (not acknowledged and status in ('fulfilled', 'blocked', 'refund_due') and token is not null)
     union all select id from (${cancelledWithoutRefund}) waiting`,
  )

const cancelledWithoutRefund = `select null::uuid as id from ordering.orders o
  where o.status = 'cancelled' and o.remedy = 'refund' and o.payment_status = 'confirmed' and o.price > 0
    and o.price > o.credit and not exists (select from refunds.refunds r where r.order_id = o.id)`

/** What must hold once every payment has run out or been settled; `now` is the school's time. */
const brokenAfterSettling = async (
  pool: Pool,
  story: Story,
  acknowledged: Acknowledged,
  now: Date,
): Promise<Broken> => [
  ...few('unsettled checkouts', await unsettled(pool)),
  ...few('payments without meals or somebody to decide', await idsOf(pool, paidForNothing)),
  ...few('meals that nobody paid for', await idsOf(pool, unpaidMeals)),
  ...few('payments that the provider has not kept', await notKept(pool, acknowledged)),
  ...few('prompts that nobody asked for', await unaskedPrompts(pool, acknowledged)),
  ...few('reservations of dead checkouts', reservedAfter(story, now)),
  ...brokenPlansAfterSettling(story),
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

/**
 * Tokens with more prompts on the phone than their family asked for (one where the answer was lost), or with one soon after another that
 * nobody declined: the second device is answered by the first one's prompt, and sends another only a minute later.
 */
const unaskedPrompts = async (pool: Pool, { prompts }: Acknowledged): Promise<string[]> => {
  const { rows } = await pool.query<{ token: string; sent: { sentAt: string; answer: string | null }[] }>(
    `select token, state -> 'prompts' as sent from payments.sandbox_transactions
     where jsonb_array_length(state -> 'prompts') > 1`,
  )
  const isSoon = ({ sentAt }: { sentAt: string }, before: { sentAt: string; answer: string | null }) =>
    before.answer !== 'wrong-pin' && Date.parse(sentAt) - Date.parse(before.sentAt) < promptWaitMs / 2
  return rows.flatMap(({ token, sent }) =>
    sent.length > (prompts.get(token) ?? 1) || sent.some((one, nth) => nth > 0 && isSoon(one, sent[nth - 1]!))
      ? [token]
      : [],
  )
}

/** Days that are still kept for a checkout, by the events themselves. */
const reservedAfter = (story: Story, now: Date): string[] => {
  const slots = new Map<string, MealSlot>()
  for (const { stream, ...stored } of story) {
    const event = stream.startsWith('mealSlot-') ? readSlotEvent(stored) : null
    if (event) slots.set(stream, evolve(slots.get(stream) ?? freeSlot, event))
  }
  return [...slots].flatMap(([stream, { reservation }]) =>
    reservation && new Date(reservation.until) > now ? [stream] : [],
  )
}

/** A message that was written, sent or not. */
export type Written = { id: string; subject: string }

const paidBackSubject = 'Money was paid back to you'
const toldSubjects = /^(Ordered|Not ordered|Money was paid back)\b/

// As identity names the messages of a cause.
const messageNamespace = '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'
/** One message of a cause for each channel. */
const messagesOfCause = (cause: string): string[] =>
  [cause, `sms/${cause}`].map((name) => v5(name, messageNamespace))

const readRefund = eventReader(refundPaidBack)

/**
 * What the families of a run must have been told by its events, by the message's cause: each checkout that was ordered or
 * came to nothing, each payout. `may`: also what was so once and is so no more.
 */
const messagesOf = (story: Story): { must: Map<string, string>; may: Set<string> } => {
  const attempts = new Map<string, PaymentAttempt>()
  const must = new Map<string, string>()
  const may = new Set<string>()
  for (const { stream, ...stored } of story) {
    const event = readAttemptEvent(stored)
    if (event)
      attempts.set(stream, paymentAttempt.evolve(attempts.get(stream) ?? paymentAttempt.initial, event))
    if (event?.type === paymentDeclined.type || event?.type === paymentExpired.type)
      may.add(`payment-failed-${event.data.attemptId}`)
    const refund = readRefund(stored)
    if (refund && refund.data.method !== 'credit' && refund.data.method !== 'given_up')
      must.set(`refund-paid-${refund.data.payoutId}`, paidBackSubject)
  }
  for (const attempt of attempts.values()) {
    // How to pay otherwise is another message, of what nobody does in these runs.
    if (attempt.status === 'none' || attempt.checkout.kind === 'alternative') continue
    const { attemptId } = attempt.checkout
    const ordered = orderedMail(attempt, [], 'Africa/Lusaka', null)
    if (ordered) must.set(`payment-ordered-${attemptId}`, ordered.subject)
    const failed = failedMail(attempt, '')
    if (failed) must.set(`payment-failed-${attemptId}`, failed.subject)
  }
  return { must, may }
}

/** Causes without their message, and messages of these kinds that nothing caused, or that say it twice. */
export const brokenMessages = (story: Story, written: readonly Written[]): Broken => {
  const { must, may } = messagesOf(story)
  const told = written.filter(({ subject }) => toldSubjects.test(subject))
  const ids = new Set(told.map(({ id }) => id))
  const untold = [...must].filter(([cause]) => !messagesOfCause(cause).some((id) => ids.has(id)))
  const caused = new Set([...must.keys(), ...may].flatMap(messagesOfCause))
  const uncaused = told.filter(({ id }) => !caused.has(id))
  return [
    ...(untold.length > 0
      ? [`families were not told: ${untold.length} of ${must.size}, such as "${untold[0]![1]}"`]
      : []),
    ...(uncaused.length > 0
      ? [`messages that nothing caused: ${uncaused.length}, such as "${uncaused[0]!.subject}"`]
      : []),
    ...(ids.size < told.length ? [`messages written twice: ${told.length - ids.size}`] : []),
  ]
}

const messagesWritten = async (pool: Pool): Promise<Written[]> =>
  (await pool.query<Written>('select id, subject from messaging.mail_outbox')).rows

/** Opens the school's database and event store beside the running program, as `npm run audit` does. */
export const openBesides = async <Found>(
  place: Place,
  clock: () => Date,
  look: (infrastructure: Infrastructure, config: ReturnType<typeof readConfig>) => Promise<Found>,
): Promise<Found> => {
  const config = readConfig(variablesOf(place, clock()))
  const infrastructure = await openInfrastructure(config, { log: silentLog, opening: 'school' })
  try {
    return await look(infrastructure, config)
  } finally {
    await infrastructure.close()
  }
}

/** After a restart: what was acknowledged is there, once. */
export const lookQuickly = (place: Place, clock: () => Date, acknowledged: Acknowledged): Promise<Broken> =>
  openBesides(place, clock, async ({ database, eventStore }) => {
    await caughtUp(database.pool, eventStore, catchUpPatienceMs)
    return brokenNow(database.pool, await storyOf(eventStore), acknowledged)
  })

/** Once nobody works any more and the clock has gone past every time limit: everything else as well. */
export const lookThoroughly = (
  place: Place,
  clock: () => Date,
  acknowledged: Acknowledged,
): Promise<{ broken: Broken; events: number; weeks: Record<string, number> }> =>
  openBesides(place, clock, async (infrastructure, config) => {
    const { database, eventStore } = infrastructure
    const { pool } = database
    const isSettled = async () =>
      (await unsettled(pool)).length === 0 && openWeeks(await storyOf(eventStore)).length === 0
    await within(settlePatienceMs, isSettled)
    await caughtUp(pool, eventStore, catchUpPatienceMs)
    const messagesBroken = async () => brokenMessages(await storyOf(eventStore), await messagesWritten(pool))
    await within(messagesPatienceMs, async () => (await messagesBroken()).length === 0)
    const options = { log: silentLog, now: clock, against: null, onProgress: () => undefined }
    const audit = await auditSchool(infrastructure, config, options)
    const story = await storyOf(eventStore)
    const broken = [
      ...(await brokenNow(pool, story, acknowledged)),
      ...(await brokenAfterSettling(pool, story, acknowledged, clock())),
      ...(await messagesBroken()),
      ...(audit.exitCode === 0 ? [] : audit.lines),
      ...(await differsFromRebuild(infrastructure, config, clock)),
    ]
    return { broken, events: story.length, weeks: weeksByState(story) }
  })

// A prompt that nobody answers runs out after half an hour of the school's time.
const settlePatienceMs = 150_000
const messagesPatienceMs = 60_000
const catchUpPatienceMs = 20_000

const storyOf = async (eventStore: Infrastructure['eventStore']): Promise<Story> => {
  const story: Story[number][] = []
  await readLog(eventStore, await eventStore.end(), 1_000, async (events) => {
    story.push(...events.map(({ stream, type, data }) => ({ stream, type, data })))
  })
  return story
}

const differsFromRebuild = async (
  infrastructure: Infrastructure,
  config: ReturnType<typeof readConfig>,
  now: () => Date,
): Promise<Broken> => {
  const { modules } = compose({
    ...infrastructure,
    config,
    now,
    log: silentLog,
    demo: false,
    sessionKeys: [],
    pushSecret: '',
    ownUrl: () => config.publicUrl,
    rateLimits: 'off',
    viewsInclude: async () => undefined,
    failing: async () => [],
  })
  const views = modules.flatMap((module) => module.views)
  const { database, eventStore } = infrastructure
  for (let trial = 1; ; trial += 1) {
    const end = (await eventStore.end()).position
    await caughtUp(database.pool, eventStore, catchUpPatienceMs)
    const live = await contentsOf(database.pool, views)
    await rebuildViews({ ...infrastructure, contexts: contextsOf(modules), onProgress: () => undefined })
    const rebuilt = await contentsOf(database.pool, views)
    // The service goes on meanwhile: only a comparison during which nothing happened says anything.
    if ((await eventStore.end()).position === end) return differences(live, rebuilt)
    if (trial === maxTrials) throw new Error('The service is never quiet enough to compare its read models')
  }
}

const maxTrials = 8

const differences = (live: Contents, rebuilt: Contents): Broken =>
  Object.keys(live).flatMap((view) =>
    JSON.stringify(live[view]) === JSON.stringify(rebuilt[view])
      ? []
      : [`the read model ${view} is not what a rebuild makes of the events`],
  )

/** Every event, and every row of every table, as text. */
export type SchoolContents = { events: readonly string[]; tables: Record<string, readonly string[]> }

// Positions, and what is of the place and not of the school.
const ofThePlace = new Set([
  'identity.sessions',
  'platform.checkpoints',
  'platform.events',
  'platform.maintenance',
  'platform.migrations',
  'platform.migrations_lock',
  'platform.rate_limits',
])

export const schoolContents = async ({
  database,
  eventStore,
}: Pick<Infrastructure, 'database' | 'eventStore'>): Promise<SchoolContents> => ({
  events: (await logContents(eventStore)).map((event) => JSON.stringify(event)),
  tables: await tablesIn(database.pool),
})

const tablesIn = (pool: Pool) =>
  inSnapshot(pool, async (snapshot) => {
    const tables: Record<string, string[]> = {}
    for (const table of await tablesOf(snapshot)) {
      if (ofThePlace.has(table.name)) continue
      const rows: string[] = []
      for await (const page of tableRows(snapshot, table))
        rows.push(...page.map((row) => row.replace(/"position":"[^"]*",?/, '')))
      tables[table.name] = rows
    }
    return tables
  })

/** What a restored school lacks of what was there, or has beyond it, in sentences. */
export const restoredDiffers = (there: SchoolContents, restored: SchoolContents): Broken => {
  const tables = [...new Set([...Object.keys(there.tables), ...Object.keys(restored.tables)])]
  return [
    ...differing('events', there.events, restored.events),
    ...tables.flatMap((name) => differing(name, there.tables[name] ?? [], restored.tables[name] ?? [])),
  ]
}

const differing = (what: string, there: readonly string[], restored: readonly string[]): Broken => {
  const [were, are] = [new Set(there), new Set(restored)]
  const lost = there.filter((row) => !are.has(row))
  const added = restored.filter((row) => !were.has(row))
  return [
    ...(lost.length > 0
      ? [`${what}: ${lost.length} were there and are not restored, such as ${lost[0]}`]
      : []),
    ...(added.length > 0 ? [`${what}: ${added.length} were not there before, such as ${added[0]}`] : []),
  ]
}
