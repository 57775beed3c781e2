import { Client, type ConnectionConfig, Pool } from 'pg'
import { placeOrders } from '#contracts/ordering'
import { payByCard } from '../../src/app/demo/ordering'
import { eventually } from '../support/eventually'
import { inTheDatabase } from '../support/school-events'
import { type Canteen, openCanteen } from './canteen'

/**
 * What a checkout costs the database, whatever the machine: the rows beside its events, and the statements, without those
 * of the simulated provider. The figures are ceilings that each step of the rewriting lowers.
 */
describe('a checkout of five meals', () => {
  let canteen: Canteen
  let database: Pool

  const asked = { count: 0 }

  beforeAll(async () => {
    canteen = await openCanteen(inTheDatabase)
    database = new Pool({ connectionString: canteen.databaseUrl, max: 1 })
    await countRows(database)
  })
  beforeEach(() => watchStatements(asked))
  afterAll(async () => {
    await database.end()
    await canteen.close()
  })

  /** Every view has seen every event, no job runs but those that wait for their time, and nothing is asked of Postgres. */
  const atRest = () => {
    let seen = -1
    return eventually(async () => {
      const { rows } = await database.query(`
        select name from platform.checkpoints where name like 'views %' and position < (
          select max(lpad(xid::text, 20, '0') || '-' || lpad(seq::text, 20, '0')) from platform.events)`)
      const { active } = await canteen.infrastructure.queue.depth()
      const isQuiet = asked.count === seen
      seen = asked.count
      return rows.length === 0 && active === 0 && isQuiet
    })
  }

  /** The least of two weeks, after a first one: a follower sometimes takes two batches for what it mostly takes at once. */
  const costOf = async (act: (week: number) => Promise<unknown>) => {
    await act(1)
    const costs: { rows: number; statements: number }[] = []
    for (const week of [3, 4]) {
      await atRest()
      asked.count = 0
      const before = await rowsWritten(database)
      await act(week)
      await atRest()
      costs.push({ rows: (await rowsWritten(database)) - before, statements: asked.count })
    }
    return {
      rows: Math.min(...costs.map(({ rows }) => rows)),
      statements: Math.min(...costs.map(({ statements }) => statements)),
    }
  }
  const days = [1, 2, 3, 4, 5]

  test('for free asks 24 statements and writes 46 rows beside the events, at most', async () => {
    const { parent, children } = await canteen.family('phiri', '3')
    const { rows, statements } = await costOf((weekNumber) =>
      parent.call(placeOrders, {
        body: days.map((day) => canteen.porridgeFor(children[0]!, day, { weekNumber })),
        headers: { 'idempotency-key': `free-${weekNumber}` },
      }),
    )
    expect(rows).toBeLessThanOrEqual(46)
    expect(statements).toBeLessThanOrEqual(24)
  })

  test('paid by card asks 73 statements and writes 111 rows beside the events, at most', async () => {
    const { parent, children } = await canteen.payingFamily('banda', '9')
    const { rows, statements } = await costOf((weekNumber) =>
      payByCard(
        parent,
        days.map((day) => canteen.stewFor(children[0]!, day, { weekNumber })),
        'pay',
      ),
    )
    expect(rows).toBeLessThanOrEqual(111)
    expect(statements).toBeLessThanOrEqual(73)
  })
})

/** Counts what the service asks of Postgres, without the simulated provider's own table. */
const watchStatements = (asked: { count: number }) => {
  const { query } = Client.prototype
  jest.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    const first = args[0] as string | { text?: string } | null
    const text = (typeof first === 'string' ? first : first?.text) ?? ''
    const { connectionParameters } = this as unknown as { connectionParameters: ConnectionConfig }
    const isService = connectionParameters.application_name === 'tuckshop'
    if (isService && !text.includes('sandbox_transactions')) asked.count += 1
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as never)
}

/** A sequence that every written row of every table but the events moves on. */
const countRows = async (database: Pool) => {
  await database.query(`
    create sequence public.rows_written;
    create function public.count_row() returns trigger language plpgsql as
      $$ begin perform nextval('public.rows_written'); return null; end $$;
    do $$ declare one record; begin
      for one in select schemaname, tablename from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema') and schemaname || '.' || tablename <> 'platform.events'
      loop
        execute format('create trigger count_row after insert or update or delete on %I.%I for each row execute function public.count_row()',
          one.schemaname, one.tablename);
      end loop;
    end $$`)
}

const rowsWritten = async (database: Pool) => {
  const { rows } = await database.query('select last_value from public.rows_written')
  return Number(rows[0].last_value)
}
