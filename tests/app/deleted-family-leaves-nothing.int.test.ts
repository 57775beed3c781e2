import type { Pool } from 'pg'
import { v4 } from 'uuid'
import { auditEntries } from '#contracts/audit'
import { closeDays, listClosures } from '#contracts/closures'
import { giveCredit } from '#contracts/credit'
import { inviteGuardian, deleteParent } from '#contracts/accounts'
import { contact, currentUser, saveCommunication, type Student, updateProfile } from '#contracts/identity'
import { cancelOrders, substituteOrders } from '#contracts/ordering'
import { verifyPending, confirmStatement, statementRows } from '#contracts/transfers'
import { completeRefund, listRefunds } from '#contracts/refunds'

import { applyRoll, claimStudents, previewRoll } from '#contracts/roll-import'
import { uploadSettlement } from '#contracts/settlements'
import type { Client } from '../../src/app/demo/client'
import { place } from '../ordering/canteen'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { airtelFile, uploaded } from '../support/upload-statement'

// Words that nothing else holds, as the family and the office write them.
const parentName = 'Thandeka Qwyxmbo'
const childName = "Zolani Vrenk'tau"
const address = 'quxolwazi@example.org'
const phone = '0977 613 509'
const theirs = /omkuluz|qwyxmbo|thandeka|zolani|vrenk.?tau|quxolwazi|977.{0,3}613.{0,3}509/i

let canteen: AlternativeCanteen
let office: Client
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  office = canteen.superadminClient
})
afterAll(() => canteen.close())

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
  for (const { schema, table, column } of columns) {
    const { rows } = await pool.query<{ value: string }>(
      `select "${column}"::text as value from "${schema}"."${table}" where "${column}"::text ~* $1`,
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
  await office.call(saveCommunication, { body: { supportEmail: 'help@school.example', whatsappNumber: '' } })
  await parent.call(contact, {
    body: { name: parentName, email: address, message: `${childName} needs a spoon` },
  })

  const roll = await previewed(
    `Q-1,${childName},9,9A,${parentName},${address},${phone}`,
    `Q-2,Little ${childName},2,2A,${parentName},${address},${phone}`,
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
  ).rejects.toThrow('no transaction id')

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
  const settled = `Token,Kind,Gross,Paid out\nOf ${parentName},Payment,40.00,39.00\n`
  form.set('file', new File([settled], 'Card of Qwyxmbo.csv', { type: 'text/csv' }))
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
  await eventually(async () => {
    const { data: owed } = await office.call(listRefunds, { query: {} })
    return owed.some(({ id }) => id === first)
  })
  await office.call(completeRefund, {
    params: { id: first! },
    body: { method: 'cash', note: `handed to ${parentName}`, reference: `receipt ${phone}` },
  })
  const history = async () =>
    (await office.call(auditEntries, { query: { limit: 100 } })).data.map(({ what }) => what)
  await eventually(async () => {
    const told = (await history()).join('\n')
    expect(told).toContain(`1 orders cancelled: ${childName} is ill, says ${parentName} (${phone})`)
    expect(told).toContain('2 orders cancelled: ZOLANI VRENK’TAU’s party')
    expect(told).toContain('Days closed: Funeral of Mr Qwyxmbo')
    return true
  })
  // A message to somebody else that has not left yet.
  await pool.query(
    `insert into identity.mail_outbox (id, "userId", "to", subject, text, "createdAt", "dueAt")
     values ($1, $2, 'neighbour@example.org', $3, $3, now(), '2999-01-01')`,
    [v4(), other.userId, `Zolani eats with your child, says ${parentName}`],
  )
  expect((await whereNamed(pool)).length).toBeGreaterThan(20)

  await givesUp(userId, 'qwyxmbo')
  await eventually(async () => {
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
