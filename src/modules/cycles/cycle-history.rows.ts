import type { Knex } from 'knex'
import type { Direction } from '#contracts/endpoint'
import type { Cycle } from './cycle'
import { cycleFromRow, selectCycles } from './cycles.rows'

type CycleFilters = { year?: number | undefined; cycleLength?: number | undefined }

const columns = { created: 'c.created_at', start: 'c.start_date', length: 'c.cycle_length' } as const

type OwnSort = keyof typeof columns

const narrowed = (query: Knex.QueryBuilder, { year, cycleLength }: CycleFilters): Knex.QueryBuilder => {
  if (year !== undefined) query.whereRaw('extract(year from c.start_date) = ?', [year])
  if (cycleLength !== undefined) query.where('c.cycle_length', cycleLength)
  return query
}

export const cyclesPage = async (
  knex: Knex,
  filters: CycleFilters,
  page: { sort: OwnSort; direction: Direction; offset: number; limit: number },
): Promise<Cycle[]> => {
  const rows = await narrowed(selectCycles(knex), filters)
    .orderBy([
      { column: columns[page.sort], order: page.direction },
      { column: 'c.id', order: page.direction },
    ])
    .offset(page.offset)
    .limit(page.limit)
  return rows.map(cycleFromRow)
}

export const cycleIds = async (knex: Knex, filters: CycleFilters): Promise<number[]> =>
  (await narrowed(knex('cycles.order_cycles as c').select('c.id').orderBy('c.id'), filters)).map(
    ({ id }: { id: number }) => id,
  )
