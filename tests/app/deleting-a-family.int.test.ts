import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { v4 } from 'uuid'
import { auditEntries } from '#contracts/audit'
import { contact, saveCommunication, updateProfile } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { deleteParent } from '#contracts/accounts'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { cycleOrders } from '#contracts/order-reports'
import { sendMarks } from '#contracts/serving'
import { eventually } from '../support/eventually'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { contextsOf } from '#platform/module'
import { backupSchool } from '../../src/app/backup/backup-school'
import { checkArchive, restoreSchool } from '../../src/app/backup/restore-school'
import { composeOffline } from '../../src/app/commands/command'
import { emptySchool } from '../support/second-school'
import { readConfig } from '../../src/app/config'
import { auditSchool } from '../../src/app/commands/audit-school'
import { expectRebuildEqualsLive, tablesBut } from '../support/rebuild-equals-live'
import { logContents, tableContents } from '../support/school-contents'
import { silentLog } from '../support/start-postgres'
import { refused } from '../ordering/canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())

test('a family that is forced out has its open orders cancelled, and what it paid is owed back', async () => {
  const office = canteen.superadminClient
  const { parent, userId, children } = await canteen.family('leaving', '9')
  const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2), canteen.stewFor(children[0]!, 3)])
  await canteen.verify([orders[0]!.id])
  const params = { id: userId }
  expect(await refused(office.call(deleteParent, { params }))).toMatchObject({
    status: 409,
    code: 'parent_has_orders',
    canForce: true,
    orderCount: 2,
  })
  await office.call(deleteParent, { params, query: { force: 'true' } })
  const { data } = await office.call(cycleOrders, { query: {} })
  expect(data.map(({ status, student }) => [status, student.name])).toEqual([
    ['cancelled', '[deleted]'],
    ['cancelled', '[deleted]'],
  ])
  await eventually(async () => {
    const { data: owed } = await office.call(listRefunds, { query: {} })
    return owed.length === 1 && owed[0]!.id === orders[0]!.id
  })
})

test('nothing of a deleted family can be read any more, and the books still balance', async () => {
  const office = canteen.superadminClient
  const { database, eventStore } = canteen.infrastructure
  const { parent, userId, children } = await canteen.family('Zulu-Mumba', '9')
  await parent.call(updateProfile, {
    body: {
      name: 'Zulu-Mumba',
      email: 'zulu@example.org',
      phone: '0977555444',
      currentPassword: 'parent-password',
    },
  })
  // What was mailed to the address before, and what the family wrote to the school.
  await parent.call(updateProfile, {
    body: {
      name: 'Zulu-Mumba',
      email: 'mumba@example.org',
      phone: '0977555444',
      currentPassword: 'parent-password',
    },
  })
  await office.call(saveCommunication, { body: { supportEmail: 'help@school.example', whatsappNumber: '' } })
  await parent.call(contact, {
    body: { name: 'Zulu-Mumba', email: 'zulu@example.org', message: 'Where can I pay in cash?' },
  })
  await canteen.discount(userId, 10)
  const remark = 'no nuts for my Zulu-Mumba'
  const { orders } = await order(parent, [
    canteen.stewFor(children[0]!, 4, { comments: remark }),
    canteen.stewFor(children[0]!, 5),
  ])
  await canteen.verify([orders[0]!.id])
  const spilt = {
    markId: v4(),
    orderId: orders[1]!.id,
    kind: 'problem' as const,
    note: 'Zulu-Mumba spilt it',
  }
  const served = '2026-09-18T12:00:00+02:00'
  const ordered = canteen.now().toISOString()
  canteen.setClock(served)
  const { results } = await office.call(sendMarks, { body: { marks: [{ ...spilt, at: served }] } })
  expect(results).toMatchObject([{ result: 'kept' }])
  canteen.setClock(ordered)
  await office.call(setOrderStatus, { body: { orderIds: [orders[0]!.id], status: 'cancelled' } })
  await eventually(async () => (await owedTo(orders[0]!.id)) === true)
  await office.call(completeRefund, {
    params: { id: orders[0]!.id },
    body: { method: 'cash', note: 'handed to Mrs Zulu-Mumba' },
  })
  const named = /zulu|mumba|0977555444|no nuts/i
  const events = JSON.stringify(await logContents(eventStore))
  expect(events).not.toMatch(named)
  const history = async () => (await office.call(auditEntries, { query: { limit: 100 } })).data
  await eventually(async () => JSON.stringify(await history()).includes(remark))

  // A request for a password that nobody has answered yet, and a letter to the address of the school's list.
  await database.pool.query(
    `insert into identity.reset_requests (id, identifier, "dueAt") values ($1, ' Mumba@example.org ', '2999-01-01'), ($2, 'ZULU-MUMBA', '2999-01-01')`,
    [v4(), v4()],
  )
  await database.pool.query(
    `insert into identity.mail_outbox (id, "to", mailbox, subject, text, "createdAt", "dueAt")
     values ($1, 'Mumba@example.org', 'mumba@example.org', 'Code', 'for Zulu', now(), '2999-01-01')`,
    [v4()],
  )

  await office.call(deleteParent, { params: { id: userId }, query: { force: 'true' } })
  await eventually(async () => {
    const left = await tableContents(database.pool)
    for (const [table, rows] of Object.entries(left))
      for (const row of rows) if (named.test(row)) throw new Error(`${table} holds ${row}`)
    const waiting = await database.knex('platform.changes')
    expect(JSON.stringify(waiting)).not.toMatch(named)
  })
  const what = await eventually(async () => {
    const told = (await history()).map((entry) => entry.what)
    return told.includes(`Account of deleted ${userId} deleted`) && told
  })
  expect(what.join()).toContain('Ordered Stew for [deleted]')
  const contexts = contextsOf(canteen.modules)
  const filled = tablesBut(contexts, /credit|portion|card_refunds|approvals/)
  await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled })
  const { lines, exitCode } = await auditSchool(canteen.infrastructure, readConfig({}), {
    log: silentLog,
    now: canteen.now,
    against: null,
    onProgress: () => undefined,
  })
  expect([exitCode, lines.join(' ')]).toEqual([0, expect.stringContaining('Everything balances')])
})

test('a rebuild that had read the names before puts none back', async () => {
  const { parent, userId, children } = await canteen.family('Lungu', '9')
  await order(parent, [canteen.stewFor(children[0]!, 2, { weekNumber: 2 })])
  const { maintenance, database } = canteen.infrastructure
  const orders = () => database.knex('ordering.orders').where({ user_id: userId })
  const sweep = canteen.modules
    .flatMap(({ sweeps }) => sweeps)
    .find(({ name }) => name === 'finish-deletions')!
  await maintenance.run('rebuild', async () => {
    await canteen.superadminClient.call(deleteParent, { params: { id: userId }, query: { force: 'true' } })
    canteen.setClock(new Date(canteen.now().getTime() + 2 * 60_000))
    await sweep.run()
    // As the tables are that the rebuild made of what it had read.
    await orders().update({ student_name: 'Lungu Junior' })
  })
  await sweep.run()
  expect((await orders()).map(({ student_name: name }) => name as string)).toEqual(['[deleted]'])
})

test('a restore from an archive that still has the family deletes it again', async () => {
  const office = canteen.superadminClient
  const { parent, userId, children } = await canteen.family('Kangwa', '9')
  await order(parent, [canteen.stewFor(children[0]!, 1, { weekNumber: 3 })])
  const path = join(canteen.dataDir, 'before.tuckshop.gz')
  await backupSchool(
    canteen.infrastructure,
    { SCHOOL_NAME: 'Lusaka Test School', EVENTSTORE_URL: canteen.eventsUrl },
    { path, modules: canteen.modules, now: canteen.now, onProgress: () => undefined },
  )
  await office.call(deleteParent, { params: { id: userId }, query: { force: 'true' } })
  const list = join(canteen.dataDir, 'deletions')
  const entry: unknown = JSON.parse((await readFile(list, 'utf8')).trim().split('\n').at(-1)!)
  expect(entry).toMatchObject({ userId })
  expect(await readFile(list, 'utf8')).not.toMatch(/kangwa/i)

  const place = await emptySchool(canteen.now)
  const archive = await checkArchive(path, () => undefined)
  const { infrastructure } = place
  const config = { ...place.config, DELETIONS_FILE: list }
  const { modules, deleteAgain } = composeOffline(infrastructure, config, {
    log: silentLog,
    now: canteen.now,
  })
  await restoreSchool(infrastructure, config, { archive, modules, deleteAgain, onProgress: () => undefined })
  const restored = await tableContents(infrastructure.database.pool)
  expect(JSON.stringify(restored)).not.toMatch(/kangwa/i)
  expect(restored['ordering.orders']!.length).toBeGreaterThan(0)
  expect(await deleteAgain()).toBe(0)
  await place.close()
})

const owedTo = async (id: string) =>
  (await canteen.superadminClient.call(listRefunds, { query: {} })).data.some((refund) => refund.id === id)
