import { inSnapshot } from '../../src/adapters/postgres/snapshot'
import { up } from '../../migrations/0044-ordering-kept-sums'
import { orderTotals } from '#modules/ordering/reports/cycle-totals.rows'
import { soldIn } from '#modules/ordering/reports/revenue.rows'
import { putAside } from '#platform/projections/views-aside'
import { happens, lunch, openSums } from './sums-school'
import type { SumsSchool } from './sums-school'

let school: SumsSchool
beforeEach(async () => {
  school = await openSums()
})
afterEach(() => school.close())

const { completed, reopened, cancelled, refunded, withdrawn, confirmed } = happens

/** Three cycles: orders of every status, of items that were renamed, of children in several cycles. */
const history = () => [
  lunch({ cycleId: 7, studentId: 118 }),
  lunch({ cycleId: 7, studentId: 118, week: 2, name: 'Nshima with relish', price: 1000 }),
  lunch({ cycleId: 7, studentId: 119, grade: '9', item: 4, name: 'Stew', price: 4095 }),
  lunch({ cycleId: 7, studentId: 120, grade: 'teacher' }),
  completed('7.118.1.2.1'),
  completed('7.119.1.2.1'),
  cancelled('7.120.1.2.1'),
  refunded('7.120.1.2.1'),
  lunch({ cycleId: 8, studentId: 118 }),
  lunch({ cycleId: 8, studentId: 119, grade: '10', item: 4, name: 'Beef stew' }),
  lunch({ cycleId: 8, studentId: 121, price: 0 }),
  lunch({ cycleId: 8, studentId: 122 }),
  completed('8.118.1.2.1'),
  cancelled('8.119.1.2.1'),
  withdrawn('8.122.1.2.1'),
  lunch({ cycleId: 9, studentId: 123 }),
]
const tampered = { eaters: 7 }

test('without orders there is nothing, and nothing is kept', async () => {
  expect(await school.sold()).toEqual({ rows: [], eaters: 0 })
  expect(await school.sold(7)).toEqual({ rows: [], eaters: 0 })
  expect(await school.totals(7, 8)).toEqual(new Map())
  expect(await school.kept()).toEqual([])
})

test.each([null, 7, 8, 9, 10])(
  'what was sold in cycle %s is what its orders come to, added up and kept',
  async (cycleId) => {
    await school.tell(...history())
    const plain = await school.plain(cycleId)
    expect(await school.sold(cycleId)).toEqual(plain)
    expect(await school.kept()).toEqual(cycleId === null ? [7, 8, 9] : [cycleId].filter((id) => id < 10))
    expect(await school.sold(cycleId)).toEqual(plain)
    expect(plain.eaters).toBe({ 7: 3, 8: 3, 9: 1, 10: 0 }[cycleId ?? 0] ?? 5)
  },
)

test('the totals of cycles are what their orders come to, added up and kept', async () => {
  await school.tell(...history())
  const totals = new Map([
    [7, { orders: 4, revenue: 8645 }],
    [8, { orders: 3, revenue: 4550 }],
  ])
  expect(await school.totals(7, 8, 10, 7)).toEqual(totals)
  expect(await school.kept()).toEqual([7, 8])
  expect(await school.totals(8, 7)).toEqual(totals)
  expect(school.log.lines).toEqual([])
})

test('while no order changes nothing is added up again', async () => {
  await school.tell(...history())
  await school.sold()
  await school.tamper()
  expect(await school.sold()).toMatchObject(tampered)
  expect(await school.sold(8)).toMatchObject(tampered)
  expect(await school.totals(7, 9)).toEqual(
    new Map([
      [7, { orders: 999, revenue: 8645 }],
      [9, { orders: 999, revenue: 0 }],
    ]),
  )
})

test.each([
  ['placed', lunch({ cycleId: 8, studentId: 130 })],
  ['completed', completed('8.121.1.2.1')],
  ['reopened', reopened('8.118.1.2.1')],
  ['cancelled', cancelled('8.121.1.2.1')],
  ['refunded', refunded('8.119.1.2.1')],
  ['withdrawn', withdrawn('8.121.1.2.1')],
  ['confirmed as paid', confirmed('8.118.1.2.1')],
])('an order is %s: its cycle is added up again, and no other', async (_, event) => {
  await school.tell(...history())
  await school.sold()
  await school.tamper()
  await school.tell(event)
  expect(await school.sold(8)).toEqual(await school.plain(8))
  expect(await school.sold(7)).toMatchObject(tampered)
  expect(await school.totals(9)).toEqual(new Map([[9, { orders: 999, revenue: 0 }]]))
  await school.tamper()
  expect(await school.sold(8)).toMatchObject(tampered)
})

test('the last order of a cycle is withdrawn: nothing is left of it', async () => {
  await school.tell(...history())
  await school.sold()
  await school.tell(withdrawn('9.123.1.2.1'))
  expect(await school.sold()).toEqual(await school.plain())
  expect(await school.sold(9)).toEqual({ rows: [], eaters: 0 })
  expect(await school.totals(9)).toEqual(new Map())
})

test('after a rebuild nothing is believed that was kept before, though every position is the same', async () => {
  await school.tell(...history())
  await school.sold()
  await school.tamper()
  await school.rebuild()
  const { rows } = await school.pool.query(
    'select from ordering.kept_sums join ordering.cycle_changes using (cycle_id, position)',
  )
  expect(rows).toHaveLength(3)
  expect(await school.sold()).toEqual(await school.plain())
  await school.tamper()
  expect(await school.sold()).toMatchObject(tampered)
})

describe.each(['ordering.orders', 'ordering.cycle_changes'])('while %s is aside', (view) => {
  test('nothing is believed and nothing kept', async () => {
    await school.tell(...history())
    await school.sold(7)
    await school.tamper()
    const { comeBack } = await school.aside(view, completed('8.121.1.2.1'))
    expect(await school.sold()).toEqual(await school.plain())
    expect(await school.totals(7)).toEqual(new Map([[7, { orders: 4, revenue: 8645 }]]))
    expect(await school.kept()).toEqual([7])
    await comeBack()
    expect(await school.sold(7)).toMatchObject(tampered)
  })

  test('what changes is added up when it is back', async () => {
    await school.tell(...history())
    await school.sold()
    const { comeBack } = await school.aside(view, completed('8.121.1.2.1'), cancelled('7.118.2.2.1'))
    await school.sold()
    await comeBack()
    expect(await school.sold()).toEqual(await school.plain())
    expect(await school.plain(7)).toMatchObject({ rows: { 0: { cancelled: 2 } } })
  })
})

test('another view that is aside is no unavailableReason', async () => {
  await school.tell(...history())
  await putAside(school.pool, { view: 'audit.entries', position: '', reason: 'a test' })
  await school.sold()
  expect(await school.kept()).toEqual([7, 8, 9])
})

test('a cycle whose changes are not known is added up each time', async () => {
  await school.tell(...history())
  await school.sold()
  await school.tamper()
  await school.pool.query('delete from ordering.cycle_changes where cycle_id = 7')
  expect(await school.sold(7)).toEqual(await school.plain(7))
  expect(await school.totals(7)).toEqual(new Map([[7, { orders: 4, revenue: 8645 }]]))
  await school.pool.query('delete from ordering.kept_sums')
  expect(await school.sold()).toEqual(await school.plain())
  expect(await school.kept()).toEqual([8, 9])
})

test('in a snapshot it is as of then, and nothing is written', async () => {
  await school.tell(...history())
  await school.totals(8)
  await inSnapshot(school.pool, async (at) => {
    await at.query('select 1')
    await school.tell(completed('7.118.2.2.1'), completed('8.121.1.2.1'))
    const totals = await orderTotals(school.needs, [7, 8], at)
    expect(totals.get(7)).toEqual({ orders: 4, revenue: 8645 })
  })
  expect(await school.kept()).toEqual([8])
  expect((await school.totals(7)).get(7)).toEqual({ orders: 4, revenue: 9645 })
})

const gate = () => {
  const opening = new AbortController()
  const opened = new Promise((resolve) => opening.signal.addEventListener('abort', resolve, { once: true }))
  return { opened, open: () => opening.abort() }
}

test('a reader that was slow to keep its sums does not bring the old ones back', async () => {
  await school.tell(...history())
  const read = gate()
  const keep = gate()
  const query = async (asked: { name: string }) => {
    if (asked.name === 'ordering-keep-sums') {
      read.open()
      await keep.opened
    }
    return school.pool.query(asked as never)
  }
  const before = await school.plain()
  const slow = soldIn({ ...school.needs, database: { pool: { query } as never } }, null)
  await read.opened
  await school.tell(completed('7.118.2.2.1'))
  const now = await school.plain()
  expect(now).not.toEqual(before)
  expect(await school.sold()).toEqual(now)
  keep.open()
  expect((await slow).eaters).toBe(before.eaters)
  const { rows } = await school.pool.query(
    'select from ordering.kept_sums join ordering.cycle_changes c using (cycle_id) where c.position <> kept_sums.position',
  )
  expect(rows).toHaveLength(1)
  expect(await school.sold()).toEqual(now)
  expect(await school.sold()).toEqual(now)
})

test('readers and the projector at the same time: nobody reads less than what there was', async () => {
  await school.tell(...history())
  let placed = 0
  const projecting = (async () => {
    for (; placed < 40; placed += 1)
      await school.tell(lunch({ cycleId: 7 + (placed % 3), studentId: 200 + placed, price: 1 }))
  })()
  const readings = Array.from({ length: 4 }, async (_, reader) => {
    for (let time = 0; time < 15; time += 1) {
      const before = placed
      const { rows } = await soldIn(school.needs, null)
      const all = rows.find(({ kind }) => kind === 'all')!
      expect(all.orders).toBeGreaterThanOrEqual(8 + before)
      const grades = rows.filter(({ kind }) => kind === 'grade')
      expect([reader, grades.reduce((sum, { orders }) => sum + orders, 0)]).toEqual([reader, all.orders])
    }
  })
  await Promise.all([projecting, ...readings])
  expect(await school.sold()).toEqual(await school.plain())
  expect(school.log.lines).toEqual([])
})

test('where they cannot be kept they are answered all the same', async () => {
  await school.tell(...history())
  await school.pool.query('alter table ordering.kept_sums add constraint full_disk check (false)')
  expect(await school.sold()).toEqual(await school.plain())
  expect(school.log.lines).toMatchObject([{ level: 'warn' }])
})

test('a school from before this migration is kept from the start, of the cycles that were ordered in', async () => {
  await school.tell(...history())
  await school.pool.query(
    'drop table ordering.cycle_changes, ordering.kept_sums; drop type ordering.sold, ordering.eaters',
  )
  await up(school.database.knex)
  expect(await school.sold()).toEqual(await school.plain())
  expect(await school.kept()).toEqual([7, 8, 9])
  await school.tell(completed('7.118.2.2.1'))
  expect(await school.sold()).toEqual(await school.plain())
})
