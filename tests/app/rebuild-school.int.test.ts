import { rebuildSchool } from '../../src/app/commands/rebuild-school'
import { contextsOf } from '#platform/module'
import { emptySchool, type SecondSchool } from '../support/second-school'
import { silentLog } from '../support/start-postgres'

const now = () => new Date('2026-09-16T05:00:00.000Z')

let school: SecondSchool
beforeAll(async () => {
  school = await emptySchool(now)
})
afterAll(() => school.close())

/** Columns, constraints and indexes of every table of the contexts. */
const shapes = async () => {
  const { rows } = await school.infrastructure.database.pool.query(
    `select table_schema, table_name, ordinal_position, column_name, data_type, collation_name, is_nullable,
       column_default, generation_expression
     from information_schema.columns where table_schema = any($1) order by 1, 2, 3`,
    [school.modules.map(({ name }) => name)],
  )
  const { rows: rest } = await school.infrastructure.database.pool.query(
    `select indexdef as definition from pg_indexes where schemaname = any($1)
     union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
     from pg_constraint where connamespace::regnamespace::text = any($1) and contype <> 'n' order by 1`,
    [school.modules.map(({ name }) => name)],
  )
  return [...rows, ...rest]
}

test.each([
  ['is missing', 'ordering', 'drop table ordering.orders'],
  ['has lost a column', 'payments', 'alter table payments.attempts drop column kind cascade'],
  ['has lost an index', 'audit', 'drop index audit.orders_by_attempt'],
  // Refunds keep two of its tables.
  ['has lost its schema', 'credit refunds', 'drop schema credit cascade'],
])('a rebuild makes a table that %s again', async (_what, lost, damage) => {
  const { pool } = school.infrastructure.database
  const whole = await shapes()
  await pool.query(damage)
  expect(await shapes()).not.toEqual(whole)
  const contexts = contextsOf(school.modules).filter(({ name }) => lost.split(' ').includes(name))
  await rebuildSchool(school.infrastructure, school.config, {
    contexts,
    log: silentLog,
    onProgress: () => undefined,
  })
  expect(await shapes()).toEqual(whole)
})
