import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteParent } from '#contracts/accounts'
import { auditEntries } from '#contracts/audit'
import { nothing } from '#contracts/endpoint'
import * as contracts from '#contracts/health'
import { classList, kitchenToday, kitchenWeek } from '#contracts/kitchen'
import { cancelOrder } from '#contracts/ordering'
import { serving } from '#contracts/serving'
import { addressOf } from '#platform/http/route'
import { type Canteen, openCanteen, place } from '../ordering/canteen'
import { heardLog } from '../support/captured-log'
import { logContents } from '../support/school-contents'

const date = '2026-09-15'
const log = heardLog()
let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen({}, { log })
})
afterAll(() => canteen.close())

/** A word of one child's allergy, of a note that the kitchen may read, and of one that it may not. */
const marked = /qwertnut|zzyzx|xylophobe/i

const { getHealth, saveAllergens, saveHealth } = contracts

/** Two children with lunches on a date, whose health is declared; one lunch was cancelled, which is mailed. */
const declaredFamily = async () => {
  const office = canteen.superadminClient
  await office.call(saveAllergens, { body: { allergens: ['Qwertnut'] } })
  const { parent, userId, children } = await canteen.payingFamily('mwila', '2', '3')
  const [open, silent] = children
  await parent.call(saveHealth, {
    params: { id: open!.id },
    body: { allergies: ['qwertnut'], diet: 'halal', medicalNote: 'Zzyzx inhaler', noteConsent: true },
  })
  await parent.call(saveHealth, {
    params: { id: silent!.id },
    body: { allergies: [], diet: 'none', medicalNote: 'Xylophobe', noteConsent: false },
  })
  await place(parent, [canteen.porridgeFor(open!, 2), canteen.porridgeFor(silent!, 2)])
  const [left] = await place(parent, [canteen.porridgeFor(open!, 4)])
  await parent.call(cancelOrder, { params: { id: left!.id } })
  return { parent, userId, open: open!, silent: silent! }
}

/** Where rows of any table, views and jobs among them, hold a marked word. */
const tablesThatHold = async (): Promise<string[]> => {
  const { pool } = canteen.infrastructure.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  )
  expect(tables.length).toBeGreaterThan(40)
  const holding: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(`select from ${name} kept where kept::text ~* $1 limit 1`, [
      marked.source,
    ])
    if (rows.length > 0) holding.push(name)
  }
  return holding
}

const mayTell = [
  'GET /api/orders/class-list',
  'GET /api/orders/today',
  'GET /api/serving',
  'GET /api/serving/not-collected',
  // The school's list, of no child.
  'GET /api/settings/allergens',
  'GET /api/papers/allergens',
]

/** The replies to everything that superadmin can read without naming one thing, by address: status and text. */
const everyReply = async () => {
  const query = `date=${date}&from=2026-09-01&to=2026-09-30&q=mwila&text=mwila&month=2026-09&search=mwila`
  const replies: { address: string; text: string }[] = []
  for (const route of canteen.routes) {
    const { method, path } = addressOf(route)
    if (method !== 'GET' || path.includes(':')) continue
    const answer = await canteen.superadminClient.fetch(`${path}?${query}`)
    if (answer.ok) replies.push({ address: `${method} ${path}`, text: await answer.text() })
  }
  return replies
}

/** Files that the school has written beside its database, such as mails. */
const everyFile = async (): Promise<string> => {
  const entries = await readdir(canteen.dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join(
    '\n',
  )
}

// A backup is exempt: it is a copy of the whole database, kept as the database itself is (docs/security.md).
test("what is declared of a child stands in identity's tables and is told to those who feed it, nowhere else", async () => {
  const office = canteen.superadminClient
  const { parent, userId, open, silent } = await declaredFamily()

  const told = { allergies: ['Qwertnut'], diet: 'halal', medicalNote: 'Zzyzx inhaler' }
  const untold = { allergies: [], diet: 'none', medicalNote: null }
  const { data } = await office.call(classList, { query: { date } })
  expect(data).toMatchObject([
    { student: open.name, ...told },
    { student: silent.name, ...untold },
  ])
  const { lunches } = await office.call(serving, { query: { date } })
  expect(lunches).toMatchObject([told, untold])
  const week = await office.call(kitchenWeek, { params: { week: 1 }, query: { day: 2 } })
  expect(week).toMatchObject({
    allergies: [{ mealDate: date, name: 'Qwertnut', children: 1, meals: [] }],
    diets: [{ diet: 'halal', children: 1, meals: [{ menuItem: 'School porridge', count: 1 }] }],
    medicalNotes: [{ student: open.name, medicalNote: 'Zzyzx inhaler' }],
  })
  expect(JSON.stringify([data, lunches, week])).not.toMatch(/xylophobe/i)

  await office.call(getHealth, { params: { id: silent.id } })
  const history = async () => (await office.call(auditEntries, { query: { limit: 100 } })).data
  await canteen.sweepUntil(async () =>
    (await history()).some(
      ({ what, who }) => what === `Health record of student ${silent.id} read` && who === 'superadmin',
    ),
  )

  const asked = [kitchenToday, classList, serving].map(({ path }) => `${path}?date=${date}`)
  for (const path of [`/api/students/${open.id}/health`, '/api/orders/week/1', ...asked]) {
    const answer = await office.fetch(path)
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
  }
  for (const contract of Object.values(contracts))
    if (typeof contract === 'object' && 'path' in contract) expect(contract.query).toBe(nothing)

  const replies = await everyReply()
  expect(replies.length).toBeGreaterThan(30)
  const telling = replies.filter(({ text }) => marked.test(text)).map(({ address }) => address)
  expect(telling.filter((address) => !mayTell.includes(address))).toEqual([])
  expect(telling).toContain('GET /api/serving')

  expect(await tablesThatHold()).toEqual(['catalogue.allergens', 'identity.student_health'])
  const events = await logContents(canteen.infrastructure.eventStore)
  expect(JSON.stringify(events)).toContain(`Health record of student ${silent.id} read`)
  expect(JSON.stringify(events)).not.toMatch(marked)
  expect(JSON.stringify(log.lines)).not.toMatch(marked)
  expect(await everyFile()).not.toMatch(marked)
  const metrics = await office.fetch('/metrics')
  expect([metrics.status, await metrics.text()]).toEqual([200, expect.not.stringMatching(marked)])

  await expect(parent.call(getHealth, { params: { id: open.id } })).resolves.toMatchObject({
    allergies: ['Qwertnut'],
  })
  await office.call(deleteParent, { params: { id: userId }, query: { force: 'true' } })
  await canteen.sweepUntil(async () => {
    const { rows } = await canteen.infrastructure.database.pool.query('select from identity.student_health')
    return rows.length === 0
  })
  expect(await tablesThatHold()).toEqual(['catalogue.allergens'])
})

test('a write that the database refuses is logged without the values in it', async () => {
  const { knex } = canteen.infrastructure.database
  const writing = knex('identity.student_health').insert({
    studentId: -1,
    allergies: ['Qwertnut'],
    diet: 'none',
    medicalNote: 'Zzyzx inhaler',
    noteConsent: true,
    updatedAt: canteen.now(),
  })
  const failure = await writing.catch((error: Error) => error)
  expect(String((failure as Error).message)).toContain('student_health')
  expect(String((failure as Error).stack)).not.toMatch(marked)
})
