import { chainFaultText } from '#modules/audit/chain/chain-fault'
import {
  chainCheck,
  compareWithChain,
  chainHead,
  chainJournal,
  chainName,
  linksAfter,
} from '#modules/audit/chain/chain.commands'
import { beginning, readLog, type RecordedEvent } from '#platform/event-store/event-store'
import { checkpointOf } from '#platform/projections/checkpoint'
import { type StoreProcess, freshDatabaseUrl, storeProcess } from '../support/postgres'
import { newEvents, noted } from '../support/recorded-events'

let school: StoreProcess
let drop: () => Promise<void>

/** Five events in two streams, `n1` … `n5`, all of them chained; kept as they are now. */
beforeAll(async () => {
  const fresh = await freshDatabaseUrl()
  drop = fresh.drop
  school = await storeProcess(fresh.url)
  for (const [text, stream, expectedRevision] of [
    ['n1', 'a', -1],
    ['n2', 'b', -1],
    ['n3', 'a', 0],
    ['n4', 'b', 0],
    ['n5', 'a', 1],
  ] as const)
    await school.store.append([{ stream, expectedRevision, events: newEvents(text, noted({ text })) }])
  await chainAll()
  await school.database.pool.query('create schema kept')
  for (const table of tampered)
    await school.database.pool.query(`create table kept.${keptAs(table)} as table ${table}`)
})
afterAll(async () => {
  await school.close()
  await drop()
})

/** What is tampered with here, put back as it was after each test. */
const tampered = ['platform.events', 'audit.chain', 'platform.checkpoints']
const keptAs = (table: string) => table.replace('.', '_')
afterEach(async () => {
  const putBack = tampered.map(
    (table) =>
      `alter table ${table} disable trigger all; delete from ${table};
       insert into ${table} select * from kept.${keptAs(table)}; alter table ${table} enable trigger all;`,
  )
  await school.database.pool.query(`begin; ${putBack.join('\n')} commit`)
})

const logged = async () => {
  const events: RecordedEvent[] = []
  await readLog(school.store, await school.store.end(), 2, async (batch) => void events.push(...batch))
  return events
}

const chainAll = async () => {
  const { write } = chainJournal(school.database.pool)
  const from = await checkpointOf(school.database.pool, chainName)
  const waiting = (await logged()).filter(({ position }) => position > from)
  let position = from
  for (let index = 0; index < waiting.length; index += 2)
    position = await write(waiting.slice(index, index + 2), position)
}

const verdict = async () => {
  const chain = await chainCheck(school.database.pool)
  await chain.check(await logged())
  return chain.verdict()
}
const faults = async () =>
  (await verdict()).faults.map(({ id: _id, ...fault }: Record<string, unknown>) => fault)
const tamper = (sql: string) => school.database.pool.query(sql)
const withoutGuard = async (sql: string) => {
  await tamper('alter table audit.chain disable trigger all')
  await tamper(sql)
}

test('an untouched log fits its chain, and the chain ends where it ends', async () => {
  expect(await verdict()).toEqual({
    faults: [],
    head: expect.objectContaining(await chainHead(school.database.pool)),
    unchained: { events: 0, since: null },
  })
  expect((await chainHead(school.database.pool)).number).toBe(5)
})

test('the same log is chained alike in other batches, and from the hashes of the links before', async () => {
  const links = await linksAfter(school.database.pool, 0, 10)
  expect(links.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
  await tamper('alter table audit.chain disable trigger all')
  await tamper('truncate audit.chain')
  await tamper(`update platform.checkpoints set position = '' where name = '${chainName}'`)
  await chainJournal(school.database.pool).write(await logged(), beginning)
  expect(await linksAfter(school.database.pool, 0, 10)).toEqual(links)
})

test.each([
  ['data', `data = '{"text": "forged"}'`],
  ['who did it', `metadata = jsonb_set(metadata, '{actor}', '"user:2"')`],
  ['when', `metadata = jsonb_set(metadata, '{at}', '"2026-09-16T06:00:00.000Z"')`],
  ['type', `type = 'test.counted.v1'`],
])('an edited event is found by its %s, and only that one', async (_what, change) => {
  await tamper(`update platform.events set ${change} where data->>'text' = 'n3'`)
  const [found, ...more] = await faults()
  expect(found).toMatchObject({ kind: 'edited', number: 3, stream: 'a', revision: 1 })
  expect(more).toEqual([])
})

test.each(['n1', 'n3', 'n5'])('a removed event is found: %s', async (text) => {
  await tamper(`delete from platform.events where data->>'text' = '${text}'`)
  expect(await faults()).toEqual([expect.objectContaining({ kind: 'removed', number: Number(text[1]) })])
})

test('all events removed are all found', async () => {
  await tamper('delete from platform.events')
  expect((await faults()).map(({ kind }) => kind)).toEqual(Array(5).fill('removed'))
})

test('an event put in between is found', async () => {
  await tamper(`insert into platform.events (xid, seq, stream, revision, id, type, data, metadata)
    select xid, seq + 1000, 'c', 0, gen_random_uuid(), type, data, metadata
    from platform.events where data->>'text' = 'n2'`)
  expect(await faults()).toEqual([{ kind: 'inserted', type: 'test.noted.v1', stream: 'c', revision: 0 }])
})

test('two events that changed places are found', async () => {
  await tamper(`update platform.events e set xid = o.xid, seq = o.seq from platform.events o
    where (e.data->>'text', o.data->>'text') in (('n2', 'n4'), ('n4', 'n2'))`)
  expect(await faults()).toEqual([
    expect.objectContaining({ kind: 'moved', number: 4 }),
    expect.objectContaining({ kind: 'moved', number: 2 }),
  ])
})

test('an event with another id is one removed and one put in', async () => {
  await tamper(`update platform.events set id = gen_random_uuid() where data->>'text' = 'n2'`)
  expect((await faults()).map(({ kind }) => kind)).toEqual(['removed', 'inserted'])
})

test('the chain itself can only grow', async () => {
  await expect(tamper(`update audit.chain set hash = 'x'`)).rejects.toThrow('chain is only ever added to')
  await expect(tamper('delete from audit.chain')).rejects.toThrow('only ever added to')
  await expect(tamper('truncate audit.chain')).rejects.toThrow('only ever added to')
})

test('a link that was changed all the same is found, by itself and by the one after it', async () => {
  await withoutGuard(`update audit.chain set hash = repeat('0', 64) where number = 3`)
  expect((await faults()).map(({ number }) => number)).toEqual([3, 4])
})

test('an event edited together with its own link is found by the one after it', async () => {
  await tamper(`update platform.events set data = '{"text": "forged"}' where data->>'text' = 'n3'`)
  const [edited] = (await logged()).slice(2, 3)
  const { linkHash } = await import('#modules/audit/chain/chain.commands')
  const [, before] = await linksAfter(school.database.pool, 0, 2)
  await withoutGuard(`update audit.chain set hash = '${linkHash(before!.hash, edited!)}' where number = 3`)
  expect(await faults()).toEqual([expect.objectContaining({ kind: 'edited', number: 4 })])
})

test('removed links are found', async () => {
  await withoutGuard('delete from audit.chain where number in (2, 3)')
  expect(await faults()).toContainEqual({ kind: 'numbers-missing', number: 2, until: 3 })
})

test('a chain made anew after an edit fits, and what was written down earlier does not', async () => {
  const earlier = (await linksAfter(school.database.pool, 0, 10)).map(({ number, hash }) => ({
    number,
    hash,
  }))
  expect(await compareWithChain(school.database.pool, earlier)).toEqual([])
  await tamper(`update platform.events set data = '{"text": "forged"}' where data->>'text' = 'n3'`)
  await tamper(`delete from platform.events where data->>'text' = 'n5'`)
  await withoutGuard('truncate audit.chain')
  await tamper(`update platform.checkpoints set position = '' where name = '${chainName}'`)
  await chainAll()
  expect(await faults()).toEqual([])
  expect(await compareWithChain(school.database.pool, earlier)).toEqual([
    { kind: 'rewritten', number: 3 },
    { kind: 'rewritten', number: 4 },
    { kind: 'cut', number: 5 },
  ])
})

test('events that nobody has chained yet are counted, and are no fault', async () => {
  await school.store.append([
    { stream: 'c', expectedRevision: -1, events: newEvents('n6', noted({ text: 'n6' })) },
  ])
  const { faults: found, unchained } = await verdict()
  expect(found).toEqual([])
  expect(unchained).toEqual({ events: 1, since: '2026-09-16T07:00:00.000Z' })
})

test('events that are appended and chained while the log is checked are no fault', async () => {
  const seen = await logged()
  const chain = await chainCheck(school.database.pool)
  await school.store.append([
    { stream: 'c', expectedRevision: -1, events: newEvents('n6', noted({ text: 'n6' })) },
  ])
  await chainAll()
  await chain.check(seen)
  expect((await chain.verdict()).faults).toEqual([])
})

test('an event is chained once, also when two write at the same time', async () => {
  const { write } = chainJournal(school.database.pool)
  const from = await checkpointOf(school.database.pool, chainName)
  await school.store.append([
    { stream: 'c', expectedRevision: -1, events: newEvents('n6', noted({ text: 'n6' })) },
  ])
  const late = (await logged()).slice(5)
  const outcomes = await Promise.allSettled([write(late, from), write(late, from)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await chainHead(school.database.pool)).number).toBe(6)
})

test('each fault is a sentence that names the event', () => {
  const about = { id: 'x', type: 'ordering.order-completed.v1', stream: 'mealSlot-7.1.1.1', revision: 3 }
  expect(chainFaultText({ kind: 'edited', number: 4, ...about })).toContain('Event number 4 was changed')
  expect(chainFaultText({ kind: 'moved', number: 4, ...about })).toContain('another place')
  expect(chainFaultText({ kind: 'inserted', ...about })).toContain('mealSlot-7.1.1.1, revision 3')
  expect(chainFaultText({ kind: 'removed', number: 4, id: 'x' })).toContain('was removed')
  expect(chainFaultText({ kind: 'numbers-missing', number: 4, until: 6 })).toContain('4 to 6')
  expect(chainFaultText({ kind: 'rewritten', number: 4 })).toContain('another hash for event number 4')
  expect(chainFaultText({ kind: 'cut', number: 4 })).toContain('does not have any more')
})
