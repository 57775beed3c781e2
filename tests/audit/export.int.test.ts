import { parse } from 'csv-parse/sync'
import { auditEntries } from '#contracts/audit'
import { exportedEntries } from '#modules/audit/history/history.routes'
import { checkoutStarted } from '#modules/payments/published'
import { stampEvents } from '#platform/event-store/command-handler'
import { logContents } from '../support/school-contents'
import { standIn } from '../support/stand-ins'
import { changed } from './auditing'
import { openFinance, type Finance } from './finance'
import { sample } from './sample-events'

let school: Finance
beforeAll(async () => {
  school = await openFinance()
})
afterAll(() => school.close())

const exported = (query = '') => school.bursar.fetch(`/api/audit/export${query}`)
const linesOf = async (answer: Response) =>
  parse(Buffer.from(await answer.arrayBuffer()), { bom: true, columns: true }) as Record<string, string>[]

test('the file is a download that spreadsheets open as UTF-8', async () => {
  const answer = await exported()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="tuckshop-history-2026-09-14.csv"',
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(bytes.toString('utf8').split('\r\n')[0]).toBe(
    '\uFEFF"Number","School time","Who","What","Kind","Amount (K)","Attempt","Order","Details","Event","Hash"',
  )
})

test('a line is an entry with its number and hash', async () => {
  const lines = await linesOf(await exported('?kind=refund'))
  const [paidBack, , marked] = lines
  expect(lines).toHaveLength(4)
  expect(paidBack).toEqual({
    Number: expect.stringMatching(/^\d+$/),
    'School time': '2026-09-14 07:30',
    Who: 'bursar',
    What: 'K45.50 paid back (cash)',
    Kind: 'refund',
    'Amount (K)': '45.50',
    Attempt: expect.stringMatching(/^[0-9a-f-]{36}$/),
    Order: school.refunded.id,
    Details: 'Note: =1+1',
    Event: expect.stringMatching(/^[0-9a-f-]{36}$/),
    Hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(Number(marked!.Number)).toBeLessThan(Number(paidBack!.Number))
})

test('a parent who is called a formula stays text', async () => {
  await school.infrastructure.database.pool.query(
    `update identity.users set username = '=cmd()' where username = 'natasha'`,
  )
  const lines = await linesOf(await exported('?who=cmd'))
  expect(lines.length).toBeGreaterThan(0)
  expect(new Set(lines.map(({ Who }) => Who))).toEqual(new Set(["'=cmd()"]))
})

test('every cell of the file is quoted', async () => {
  const text = await (await exported()).text()
  for (const line of text.replace('\uFEFF', '').trimEnd().split('\r\n')) expect(line).toMatch(/^".*"$/)
})

test('what the list refuses, the file refuses too', async () => {
  expect((await exported('?from=2026-02-31')).status).toBe(422)
  expect((await school.mwila.parent.fetch('/api/audit/export')).status).toBe(403)
  expect((await school.visitor().fetch('/api/audit/export')).status).toBe(401)
  const refunds = await school.administrator('refunds', 'refunds')
  expect((await refunds.fetch('/api/audit/export')).status).toBe(403)
})

const attempt = (number: number) => `0199b000-0000-7000-8000-${String(number).padStart(12, '0')}`

test('of thousands of entries one page is in memory at a time, and none is missing or twice', async () => {
  await school.infrastructure.eventStore.append(
    Array.from({ length: 2_500 }, (_, number) => ({
      stream: `paymentAttempt-${attempt(number)}`,
      expectedRevision: -1,
      events: stampEvents([changed(sample(checkoutStarted.type), { attemptId: attempt(number) })], {
        actor: 'system',
        correlationId: 'many',
        at: school.now(),
        idSeed: `many-${number}`,
      }),
    })),
  )
  await school.settled()
  const filter = { from: null, until: null, by: null, kind: null, about: null, minAmount: null }
  const { database } = school.infrastructure
  const needs = {
    database,
    zone: 'Africa/Lusaka',
    identity: {
      usernamesOf: async () => new Map<number, string>(),
      studentNamesOf: async () => new Map<number, string>(),
      usersNamed: async () => [],
    },
    catalogue: { itemsByIds: async () => new Map<number, { name: string }>() },
    reasonsOf: async () => new Map<string, string>(),
  }
  const pieces: string[] = []
  for await (const piece of exportedEntries(standIn(needs), filter)) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(5)
  expect(Math.max(...pieces.map((piece) => piece.split('\r\n').length - 1))).toBe(500)

  const lines = await linesOf(await exported())
  const { length: events } = await logContents(school.infrastructure.eventStore)
  expect(lines).toHaveLength(events)
  const numbers = lines.map(({ Number: number }) => Number(number))
  expect(numbers).toEqual(numbers.map((_number, index) => events - index))

  const page = async (number: number) => school.bursar.call(auditEntries, { query: { page: number } })
  const { pagination } = await page(1)
  expect(pagination).toMatchObject({
    totalEntries: events,
    hasPreviousPage: false,
    hasNextPage: true,
  })
  expect((await page(2)).data.map((entry) => entry.number)).toEqual(numbers.slice(50, 100))
  const last = await page(pagination.totalPages)
  expect(last.data.at(-1)!.number).toBe(1)
  expect(last.pagination).toMatchObject({ hasPreviousPage: true, hasNextPage: false })
  expect((await page(pagination.totalPages + 1)).data).toEqual([])
  // On EventStoreDB the thousands of appends go one by one.
})

test('a reader who goes away midway does no harm', async () => {
  const answer = await exported()
  const reader = answer.body!.getReader()
  await reader.read()
  await reader.cancel()
  expect((await exported('?kind=refund')).status).toBe(200)
})
