import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { v4 } from 'uuid'
import { deleteParent, inviteGuardian } from '#contracts/accounts'
import { auditEntries } from '#contracts/audit'
import { closeDays, listClosures } from '#contracts/closures'
import { giveCredit } from '#contracts/credit'
import { type Student, contact, saveCommunication, updateProfile, currentUser } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { cycleOrders } from '#contracts/order-reports'
import { cancelOrders, substituteOrders } from '#contracts/ordering'
import { savePlan } from '#contracts/plan'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { applyRoll, claimStudents, previewRoll } from '#contracts/roll-import'
import { sendMarks } from '#contracts/serving'
import { uploadSettlement } from '#contracts/settlements'
import { verifyPending, confirmStatement, statementRows } from '#contracts/transfers'
import { contextsOf } from '#platform/module'
import { backupSchool } from '../../src/app/backup/backup-school'
import { checkArchive, restoreSchool } from '../../src/app/backup/restore-school'
import { auditSchool } from '../../src/app/commands/audit-school'
import { composeOffline } from '../../src/app/commands/command'
import { readConfig } from '../../src/app/config'
import type { Client } from '../../src/app/demo/client'
import { settled } from '../audit/settled'
import { refused, place } from '../ordering/canteen'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { expectRebuildEqualsLive, tablesBut } from '../support/rebuild-equals-live'
import { emptySchool } from '../support/school'
import { logContents, tableContents } from '../support/school-contents'
import { silentLog } from '../support/start-postgres'
import { airtelFile, uploaded } from '../support/upload-statement'
import { offerPlans, porridgePlan } from './guardians'

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
  await canteen.sweepUntil(async () => {
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
  await offerPlans(canteen)
  const plan = porridgePlan(canteen, children[0]!)
  const stew = { menuItemId: canteen.items.stew.id, category: 'beef', sideDish: null, price: 45.5 }
  const [child] = plan.children
  await parent.call(savePlan, {
    body: { ...plan, children: [{ ...child!, days: [{ day: 1, dishes: [stew] }] }] },
  })
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
  await canteen.sweepUntil(async () => (await owedTo(orders[0]!.id)) === true)
  await office.call(completeRefund, {
    params: { id: orders[0]!.id },
    body: { method: 'cash', note: 'handed to Mrs Zulu-Mumba' },
  })
  const named = /zulu|mumba|0977555444|no nuts/i
  await settled(canteen)
  const events = JSON.stringify(await logContents(eventStore))
  expect(events).not.toMatch(named)
  const history = async () => (await office.call(auditEntries, { query: { limit: 100 } })).data
  await canteen.sweepUntil(async () => JSON.stringify(await history()).includes(remark))

  // A request for a password that nobody has answered yet, and a letter to the address of the school's list.
  await database.pool.query(
    `insert into identity.reset_requests (id, identifier, "dueAt") values ($1, ' Mumba@example.org ', '2999-01-01'), ($2, 'ZULU-MUMBA', '2999-01-01')`,
    [v4(), v4()],
  )
  await database.pool.query(
    `insert into messaging.mail_outbox (id, "to", mailbox, subject, text, "createdAt", "dueAt")
     values ($1, 'Mumba@example.org', 'mumba@example.org', 'Code', 'for Zulu', now(), '2999-01-01')`,
    [v4()],
  )

  await office.call(deleteParent, { params: { id: userId }, query: { force: 'true' } })
  await settled(canteen)
  await canteen.sweepUntil(async () => {
    const left = await tableContents(database.pool)
    for (const [table, rows] of Object.entries(left))
      for (const row of rows) if (named.test(row)) throw new Error(`${table} holds ${row}`)
    const waiting = await database.knex('platform.changes')
    expect(JSON.stringify(waiting)).not.toMatch(named)
  })
  const what = await canteen.sweepUntil(async () => {
    const told = (await history()).map((entry) => entry.what)
    return told.includes(`Account of deleted ${userId} deleted`) && told
  })
  expect(what.join()).toContain('Ordered Stew for [deleted]')
  expect(what).toContain(`Plan of deleted ${userId} ended`)
  const contexts = contextsOf(canteen.modules)
  const filled = tablesBut(contexts, /credit|meal_changes|portion|card_refunds|approvals/)
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
  await settled(canteen)
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

describe('deleted family leaves nothing', () => {
  // Words that nothing else holds, as the family and the office write them.
  const parentName = 'Thandeka Qwyxmbo'
  const childName = "Zolani Vrenk'tau"
  const address = 'quxolwazi@example.org'
  const phone = '0977 613 509'
  const theirs = /omkuluz|qwyxmbo|thandeka|zolani|vrenk.?tau|quxolwazi|977.{0,3}613.{0,3}509/i
  let office: Client
  beforeAll(async () => {
    office = canteen.superadminClient
  })

  /** Which columns of which tables hold a text that matches, in every schema, as `schema.table.column: the text`. */
  const whereNamed = async (pool: Pool): Promise<string[]> => {
    const { rows: columns } = await pool.query<{ schema: string; table: string; column: string }>(
      `select table_schema as schema, table_name as "table", column_name as column
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
       and (data_type in ('text', 'character varying', 'json', 'jsonb') or udt_name in ('_text', '_varchar'))
     order by 1, 2, 3`,
    )
    const found: string[] = []
    const holding = new Map<string, boolean>()
    for (const { schema, table, column } of columns) {
      const name = `"${schema}"."${table}"`
      if (!holding.has(name)) {
        const sought = `select from ${name} kept where kept::text ~* $1 limit 1`
        holding.set(name, (await pool.query(sought, [theirs.source])).rows.length > 0)
      }
      if (!holding.get(name)) continue
      const { rows } = await pool.query<{ value: string }>(
        `select "${column}"::text as value from ${name} where "${column}"::text ~* $1`,
        [theirs.source],
      )
      found.push(...rows.map(({ value }) => `${schema}.${table}.${column}: ${value.slice(0, 300)}`))
    }
    return found
  }

  const givesUp = (userId: number, username: string) =>
    office.call(deleteParent, { params: { id: userId }, query: { force: 'true', giveUp: username } })

  const previewed = async (...lines: string[]) => {
    const form = new FormData()
    const heads = 'admissionNumber,student,grade,class,guardian,email,phone'
    form.set('file', new File([[heads, ...lines].join('\n')], 'roll.csv', { type: 'text/csv' }))
    const response = await office.fetch(previewRoll.path, { method: 'POST', body: form })
    return previewRoll.reply.parse(await response.json())
  }

  const cancelling = (orderIds: string[], reason: string) =>
    office.call(cancelOrders, {
      body: { orderIds, reason, remedy: 'refund' },
      headers: { 'idempotency-key': v4() },
    })

  test('nothing that a family or the office wrote of it can be read after it is deleted', async () => {
    const { pool } = canteen.infrastructure.database
    const other = await canteen.payingFamily('neighbour', '9', '2')
    const parent = await canteen.parent('qwyxmbo', { name: parentName, email: address })
    const { id: userId } = await parent.call(currentUser)
    await parent.call(updateProfile, {
      body: { name: parentName, email: address, phone, currentPassword: 'parent-password' },
    })
    await office.call(saveCommunication, {
      body: { supportEmail: 'help@school.example', whatsappNumber: '' },
    })
    await parent.call(contact, {
      body: { name: parentName, email: address, message: `${childName} needs a spoon` },
    })

    const registered = address.replace('@', '.of.the.register@')
    const roll = await previewed(
      `Q-1,${childName},9,9A,${parentName},${registered},${phone}`,
      `Q-2,Little ${childName},2,2A,${parentName},${registered},${phone}`,
    )
    const { codes } = await office.call(applyRoll, { params: { id: roll.id }, body: { remove: false } })
    const children: Student[] = await parent.call(claimStudents, { body: { code: codes[0]!.code } })
    await previewed(`Q-1,${childName},9,9B,${parentName},${address},${phone}`)
    const big = children.find(({ grade }) => grade === '9')!
    const small = children.find(({ grade }) => grade === '2')!
    await parent.call(inviteGuardian, {
      params: { id: big.id },
      body: { email: address.replace('@', '.two@') },
    })

    await place(parent, [canteen.porridgeFor(small, 2, { comments: `${childName} likes milk` })])
    const paid = await order(
      parent,
      [2, 3, 4].map((day) => canteen.stewFor(big, day)),
    )
    const transferred = await order(parent, [canteen.stewFor(big, 1, { weekNumber: 2 })])
    const shared = await order(other.parent, [canteen.stewFor(other.children[0]!, 2, { weekNumber: 2 })])
    await order(parent, [canteen.stewFor(big, 5)])
    const [first, second, third] = paid.orders.map(({ id }) => id)
    await office.call(verifyPending, {
      body: { orderIds: [first!, second!, third!], transactionId: 'TX-1', note: `seen for ${parentName}` },
    })
    await office.call(giveCredit, {
      params: { id: userId },
      body: { amount: 5, reason: `for ${childName}` },
      headers: { 'idempotency-key': v4() },
    })

    // Whoever types a name for a transaction id is asked for the id: an id stays when the family goes.
    await expect(
      office.call(verifyPending, { body: { orderIds: [first!], transactionId: `of ${parentName}` } }),
    ).rejects.toThrow('not a transaction id')

    // It stands on a statement too, so that its money may go back as money.
    await uploaded(office, {
      bytes: airtelFile(
        `TX-1,13/09/2026 06:38:00,${phone},${parentName},136.50,for ${childName},Transaction Success`,
      ),
    })
    await canteen.prove()

    // One payment for both families, and rows that paid for nobody, some of them from phones that nobody knows.
    const statement = await uploaded(office, {
      bytes: airtelFile(
        `MP1,13/09/2026 06:39:12,0966 000 111,${parentName},91.00,for ${childName},Transaction Success`,
        `MP2,13/09/2026 06:40:00,${phone},${parentName},3.00,more for ${childName},Transaction Success`,
        'MP3,13/09/2026 06:41:00,0955 777 888,QWYXMBO THANDEKA MRS,4.00,lunch,Transaction Success',
        'MP4,13/09/2026 06:42:00,0955 777 889,Aunt Omkuluz,5.00,lunch of Zolani Vrenktau,Transaction Success',
        `MP5,13/09/2026 06:43:00,0955 777 887,Granny Omkuluz,6.00,${transferred.payment!.reference},Transaction Success`,
        'MP6,13/09/2026 06:44:00,0955 777 886,Peter Little,7.00,lunch,Transaction Success',
      ),
      name: 'Qwyxmbo pays.csv',
      source: 'From Thandeka',
    })
    const { data: rows } = await office.call(statementRows, { params: { id: statement.id }, query: {} })
    await office.call(confirmStatement, {
      params: { id: statement.id },
      body: {
        rows: [{ rowId: rows[0]!.id, orderIds: [shared.orders[0]!.id, transferred.orders[0]!.id] }],
      },
      headers: { 'idempotency-key': v4() },
    })

    const form = new FormData()
    const payouts = `Token,Kind,Gross,Paid out\nOf ${parentName},Payment,40.00,39.00\n`
    form.set('file', new File([payouts], 'Card of Qwyxmbo.csv', { type: 'text/csv' }))
    const mapping = { token: 'Token', type: 'Kind', gross: 'Gross', net: 'Paid out' }
    form.set('mapping', JSON.stringify(mapping))
    const response = await office.fetch(uploadSettlement.path, { method: 'POST', body: form })
    expect(response.status).toBe(uploadSettlement.status)

    expect(await cancelling([first!], `${childName} is ill, says ${parentName} (${phone})`)).toMatchObject({
      cancelled: 1,
    })
    const porridge = canteen.porridgeFor(other.children[1]!, 3)
    const [others] = await place(other.parent, [porridge])
    await cancelling([second!, others!.id], `ZOLANI VRENK’TAU’s party`)
    await office.call(substituteOrders, {
      body: { orderIds: [third!], menuItemId: await canteen.cooked('Soup', '40'), category: 'beef' },
    })
    await office.call(closeDays, {
      params: { id: canteen.cycle.id },
      body: { dates: ['2026-09-18'], reason: `Funeral of Mr Qwyxmbo`, remedy: 'refund' },
      headers: { 'idempotency-key': v4() },
    })
    await canteen.sweepUntil(async () => {
      const { data: owed } = await office.call(listRefunds, { query: {} })
      return owed.some(({ id }) => id === first)
    })
    await office.call(completeRefund, {
      params: { id: first! },
      body: { method: 'cash', note: `handed to ${parentName}`, reference: `receipt ${phone}` },
    })
    const history = async () =>
      (await office.call(auditEntries, { query: { limit: 100 } })).data.map(({ what }) => what)
    await canteen.sweepUntil(async () => {
      const told = (await history()).join('\n')
      expect(told).toContain(`1 orders cancelled: ${childName} is ill, says ${parentName} (${phone})`)
      expect(told).toContain('2 orders cancelled: ZOLANI VRENK’TAU’s party')
      expect(told).toContain('Days closed: Funeral of Mr Qwyxmbo')
      return true
    })
    // A message to somebody else that has not left yet.
    await pool.query(
      `insert into messaging.mail_outbox (id, "userId", "to", subject, text, "createdAt", "dueAt")
     values ($1, $2, 'neighbour@example.org', $3, $3, now(), '2999-01-01')`,
      [v4(), other.userId, `Zolani eats with your child, says ${parentName}`],
    )
    expect((await whereNamed(pool)).length).toBeGreaterThan(20)

    await givesUp(userId, 'qwyxmbo')
    await settled(canteen)
    await canteen.sweepUntil(async () => {
      expect(await whereNamed(pool)).toEqual([])
      return true
    })
    const { data: left } = await office.call(statementRows, { params: { id: statement.id }, query: {} })
    expect(left.flatMap(({ payer }) => payer ?? [])).toEqual(['Peter Little'])
    // What is about more than this family is still told.
    const told = (await history()).join('\n')
    expect(told).toContain(
      '1 orders cancelled: [deleted] [deleted] is ill, says [deleted] [deleted] ([deleted])',
    )
    expect(told).toContain('Days closed: Funeral of Mr [deleted]')
    const { data: closures } = await office.call(listClosures)
    expect(closures.map(({ reason }) => reason)).toContain('Funeral of Mr [deleted]')
  })
})
