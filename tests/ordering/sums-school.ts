import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import type { DomainEvent } from '#kernel/event'
import { cycleChangesView } from '#modules/ordering/reports/cycle-changes.view'
import { orderTotals } from '#modules/ordering/reports/cycle-totals.rows'
import {
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
} from '#modules/ordering/slot/meal-slot'
import { ordersView } from '#modules/ordering/orders/orders.view'
import { soldIn } from '#modules/ordering/reports/revenue.rows'
import { noStream } from '#platform/event-store/event-store'
import { batchProjector } from '#platform/projections/batch-projector'
import { checkpointOf, viewsCheckpoint } from '#platform/projections/checkpoint'
import { rebuildViews } from '#platform/projections/rebuild-views'
import type { RowView } from '#platform/projections/row-view'
import { catchUp, putAside } from '#platform/projections/views-aside'
import { heardLog } from '../support/heard-log'
import { testDatabase } from '../support/postgres'
import { newEvents, recordedEvents } from '../support/recorded-events'
import { monday7, ordered, tuesday } from './lunches'

const at = monday7.toISOString()

/** What an order of so many ngwee is about; its id is `<cycle>.<student>.<week>.2.1`. */
type Lunch = {
  cycleId: number
  studentId: number
  week?: number
  grade?: string
  item?: number
  name?: string
  price?: number
}

export const lunch = (wanted: Lunch) => {
  const { cycleId, studentId, week = 1, grade = '4', item = 3, name = 'Nshima', price = 4550 } = wanted
  const { data, type } = ordered(1, monday7, {
    line: {
      slot: { ...tuesday, cycleId, studentId, week },
      student: { name: `Student ${studentId}`, grade },
      item: { id: item, name, type: 'primary' },
      price,
      mealDate: `2026-0${cycleId}-1${week}`,
    },
  })
  return { type, data: { ...data, orderId: `${cycleId}.${studentId}.${week}.2.1` } }
}

export const happens = {
  completed: (orderId: string) => orderCompleted({ orderId, at }),
  reopened: (orderId: string) => orderReopened({ orderId, at }),
  cancelled: (orderId: string) => orderCancelled({ orderId, by: 'parent', afterCutoff: false, at }),
  refunded: (orderId: string) => orderRefunded({ orderId, at }),
  withdrawn: (orderId: string) => orderWithdrawn({ orderId, at }),
  confirmed: (orderId: string) => orderPaymentConfirmed({ orderId, at }),
}

const seven = 'row(0, 127::bit(1024))::ordering.eaters'

const views: RowView[] = [ordersView, cycleChangesView]

/** The read models of a school whose events are told one batch at a time, and what its office asks of them. */
export const openSums = async () => {
  const { database, close } = await testDatabase()
  const { pool } = database
  const log = heardLog()
  const told: DomainEvent[] = []
  const needs = { database: { pool }, log }

  const eventsTold = async () => {
    const eventStore = memoryEventStore()
    const events = newEvents('told', ...told)
    await eventStore.append([{ stream: 'all', expectedRevision: noStream, events }])
    return eventStore
  }

  /** The same events once more, into new tables. */
  const rebuild = async () => {
    const eventStore = await eventsTold()
    const lock = { lost: new Promise<void>(() => undefined), end: () => Promise.resolve() }
    const locks = { tryAcquire: async () => lock, takeOver: async () => lock, close: () => Promise.resolve() }
    await rebuildViews({ database, eventStore, locks, views, onProgress: () => undefined })
  }

  const tell = async (to: RowView[], events: DomainEvent[]) => {
    const before = told.length
    told.push(...events)
    const project = batchProjector(pool, to)
    await project(recordedEvents(...told).slice(before), await checkpointOf(pool, viewsCheckpoint))
  }

  return {
    database,
    pool,
    log,
    needs,
    close,
    rebuild,
    tell: (...events: DomainEvent[]) => tell(views, events),
    /** One of the two views is put aside, the other one hears these events alone; `comeBack` lets it hear them too. */
    aside: async (name: string, ...events: DomainEvent[]) => {
      const view = views.find((one) => one.table === name)!
      const aside = { view: name, position: await checkpointOf(pool, viewsCheckpoint), reason: 'a test' }
      await putAside(pool, aside)
      await tell(
        views.filter((one) => one !== view),
        events,
      )
      const end = await checkpointOf(pool, viewsCheckpoint)
      return { comeBack: async () => catchUp({ pool, eventStore: await eventsTold() }, view, aside, end) }
    },
    sold: async (cycleId: number | null = null) => inOrder(await soldIn(needs, cycleId)),
    totals: (...cycleIds: number[]) => orderTotals(needs, cycleIds),
    /** What is kept is made to tell of 999 orders and seven eaters, so that it shows where it is used. */
    tamper: () => pool.query(`update ordering.kept_sums set orders = 999, eaters = array[${seven}]`),
    kept: async () => {
      const { rows } = await pool.query<{ cycle_id: number }>(
        'select cycle_id from ordering.kept_sums order by cycle_id',
      )
      return rows.map(({ cycle_id }) => cycle_id)
    },
    /** The same from the orders themselves. */
    plain: async (cycleId: number | null = null) => {
      const { rows } = await pool.query(plainSums, [cycleId])
      const { rows: eaters } = await pool.query(
        `select count(distinct student_id)::int as eaters from ordering.orders
         where $1::int is null or cycle_id = $1`,
        [cycleId],
      )
      return inOrder({ rows: rows.filter(({ orders }) => orders > 0), eaters: eaters[0].eaters })
    },
  }
}

export type SumsSchool = Awaited<ReturnType<typeof openSums>>

const inOrder = ({ rows, eaters }: { rows: { orders: number }[]; eaters: number }) => ({
  rows: rows
    .filter(({ orders }) => orders > 0)
    .toSorted((one, other) => (JSON.stringify(one, sorted) < JSON.stringify(other, sorted) ? -1 : 1)),
  eaters,
})
const sorted = ['kind', 'cycleId', 'week', 'itemId', 'grade']

const plainSums = `
  select case grouping(cycle_id, item_id, student_grade)
           when 7 then 'all' when 3 then 'week' when 5 then 'item' else 'grade' end as kind,
         cycle_id as "cycleId", week, min(meal_date)::text as "firstDay",
         item_id as "itemId", max(item_name) as "itemName", student_grade as grade,
         count(*)::int as orders,
         (count(*) filter (where status in ('cancelled', 'refunded')))::int as cancelled,
         (count(*) filter (where status = 'pending'))::int as pending,
         coalesce(sum(price) filter (where status = 'completed'), 0)::float8 as "completedNgwee",
         coalesce(sum(price) filter (where status in ('cancelled', 'refunded')), 0)::float8 as "cancelledNgwee",
         coalesce(sum(price) filter (where status = 'pending'), 0)::float8 as "pendingNgwee"
  from ordering.orders where ($1::int is null or cycle_id = $1)
  group by grouping sets ((), (cycle_id, week), (item_id), (student_grade))`
