import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { auditEntries } from '#contracts/audit'
import {
  closeDay,
  closingOf,
  closings,
  dayEnd,
  statementOfAccount,
  type StatementOfAccount,
} from '#contracts/books'
import { placeOrders } from '#contracts/ordering'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import { openFinance, type Finance } from '../audit/finance'
import { eventually } from '../support/eventually'
import { silentLog } from '../support/start-postgres'

let school: Finance
let folder: string
beforeAll(async () => {
  school = await openFinance()
  folder = await mkdtemp(join(tmpdir(), 'tuckshop books '))
})
afterAll(async () => {
  await school.close()
  await rm(folder, { recursive: true, force: true })
})

const sql = (text: string) => school.infrastructure.database.pool.query(text)
const audited = async () => {
  const { lines } = await auditSchool(school.infrastructure, readConfig({ DATA_DIR: folder }), {
    log: silentLog,
    now: school.now,
    against: null,
    onProgress: () => undefined,
  })
  return lines.join('\n')
}
const ask = (query: object) => school.bursar.fetch(`/api/books/day-end?${new URLSearchParams({ ...query })}`)
const close = (date: string, cashCounted?: number) =>
  school.bursar.call(closeDay, { body: { date, cashCounted } })
const range = { from: '2026-09-14', to: '2026-09-16' }

/** The porridge was free; one stew was paid, cancelled and paid back in cash, the other is unpaid; a card on Tuesday. */
const monday = {
  date: '2026-09-14',
  methods: [{ method: 'other', payments: 1, amount: 45.5, refundsPaid: 45.5 }],
  till: { in: 0, out: 45.5, expected: -45.5 },
  creditGiven: 0,
  creditSpent: 0,
  paidOut: 0,
  mealsFree: 1,
  late: 0,
  owed: 0,
  unpaid: 45.5,
}
const card = { method: 'card', payments: 1, amount: 45, refundsPaid: 0 }
const noCash = { in: 0, out: 0, expected: 0 }
const quiet = { ...monday, methods: [], till: noCash, mealsFree: 0 }
const { date: _monday, ...mondayFigures } = monday

test('every day of the range has its figures, and the totals are their sums', async () => {
  const { days, totals } = await school.bursar.call(dayEnd, { query: range })
  const tuesday = { ...quiet, date: '2026-09-15', methods: [card] }
  expect(days).toEqual([monday, tuesday, { ...quiet, date: '2026-09-16' }])
  expect(totals).toEqual({ ...mondayFigures, methods: [card, ...monday.methods] })
})

test('by meal the figures stand on the days of the meals', async () => {
  const { days } = await school.bursar.call(dayEnd, { query: { ...range, by: 'meal' } })
  expect(days.map(({ methods, mealsFree, unpaid }) => [methods.length, mealsFree, unpaid])).toEqual([
    [0, 0, 0],
    [1, 1, 0],
    [0, 0, 45.5],
  ])
})

test('more than 366 days, and days in the wrong order, are refused', async () => {
  expect((await ask({ from: '2026-01-01', to: '2027-01-01' })).status).toBe(200)
  expect((await ask({ from: '2026-01-01', to: '2027-01-02' })).status).toBe(422)
  expect((await ask({ from: '2026-09-02', to: '2026-09-01' })).status).toBe(422)
  expect((await ask({ ...range, by: 'week' })).status).toBe(422)
})

test('the file has a line for each day and one for all of them', async () => {
  const answer = await school.bursar.fetch('/api/books/day-end/csv?from=2026-09-14&to=2026-09-15')
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="tuckshop-day-end-2026-09-14-2026-09-15.csv"',
  )
  const lines: Record<string, string>[] = parse(await answer.text(), { bom: true, columns: true })
  expect(
    lines.map(({ Day, 'Other received (K)': received, 'Unpaid (K)': unpaid }) => [Day, received, unpaid]),
  ).toEqual([
    ['2026-09-14', '45.50', '45.50'],
    ['2026-09-15', '0.00', '45.50'],
    ['Total', '45.50', '45.50'],
  ])
})

const inShort = ({ lines }: StatementOfAccount) =>
  lines.map(({ kind, text, mealDate, receiptNumber, amount, balance }) =>
    [kind, text, mealDate, receiptNumber, amount, balance].join(' | '),
  )

describe('a family’s statement of account', () => {
  const day = { from: '2026-09-14', to: '2026-09-14' }
  test('tells each meal, payment and refund, and how the account stands before and after', async () => {
    const statement = await school.mwila.parent.call(statementOfAccount, { query: day })
    expect(statement).toMatchObject({
      ...day,
      parent: { id: school.mwila.userId, username: 'mwila' },
      opening: { balance: 0, credit: 0 },
      closing: { balance: -45.5, credit: 0 },
    })
    expect(inShort(statement)).toEqual([
      'meal | Stew for mwila 9 | 2026-09-15 |  | -45.5 | -45.5',
      'meal | Stew for mwila 9 | 2026-09-16 |  | -45.5 | -91',
      'payment | Paid |  | 2026-000001 | 45.5 | -45.5',
      'meal | Not charged: Stew for mwila 9 | 2026-09-15 |  | 45.5 | 0',
      'refund | Paid back: Stew for mwila 9 | 2026-09-15 | CN2026-000001 | -45.5 | -45.5',
    ])
    const later = await school.mwila.parent.call(statementOfAccount, {
      query: { from: '2026-09-15', to: '2026-09-20' },
    })
    expect(later).toMatchObject({ opening: statement.closing, lines: [], closing: statement.closing })
  })

  test('tells a free meal', async () => {
    const statement = await school.natasha.parent.call(statementOfAccount, { query: day })
    expect(inShort(statement)).toEqual(['meal | School porridge for natasha 2 | 2026-09-15 |  | 0 | 0'])
  })

  test('is shown to its family and to the office, which says whose it is', async () => {
    const query = { ...day, parentId: school.mwila.userId }
    const own = await school.mwila.parent.call(statementOfAccount, { query })
    expect(await school.bursar.call(statementOfAccount, { query })).toEqual(own)
    await expect(school.bursar.call(statementOfAccount, { query: day })).rejects.toMatchObject({
      status: 422,
      body: { code: 'parent_missing' },
    })
    const cook = await school.administrator('cook', 'kitchen')
    for (const stranger of [cook, (await school.family('lweendo', '3')).parent])
      await expect(stranger.call(statementOfAccount, { query })).rejects.toMatchObject({
        status: 404,
        body: { code: 'parent_not_found' },
      })
  })

  test('is had as a file', async () => {
    const answer = await school.mwila.parent.fetch(
      '/api/statement-of-account/csv?from=2026-09-14&to=2026-09-14',
    )
    const lines: Record<string, string>[] = parse(await answer.text(), { bom: true, columns: true })
    expect(lines.map((line) => [line['In (K)'], line['Out (K)'], line['Balance (K)']].join(' '))).toEqual([
      '  0.00',
      ' 45.50 -45.50',
      ' 45.50 -91.00',
      '45.50  -45.50',
      '45.50  0.00',
      ' 45.50 -45.50',
      '  -45.50',
    ])
  })
})

describe('closing a day', () => {
  test('is refused until the day is over', async () => {
    await expect(close('2026-09-14')).rejects.toMatchObject({
      status: 409,
      body: { code: 'day_not_over', message: 'This day is not over yet. Close it afterwards' },
    })
    await expect(school.bursar.call(closingOf, { params: { date: '2026-09-14' } })).rejects.toMatchObject({
      status: 404,
      body: { code: 'closing_not_found', message: 'This day was not closed' },
    })
  })

  test('is refused while the books do not contain everything that has happened', async () => {
    school.setClock('2026-09-15T08:00:00+02:00')
    await sql('alter table books.bookings add constraint nobody_books check (false) not valid')
    const { parent, children } = await school.family('behind', '2')
    await parent.call(placeOrders, { body: [school.porridgeFor(children[0]!, 4)] })
    await expect(close('2026-09-14')).rejects.toMatchObject({
      status: 503,
      body: {
        code: 'books_behind',
        message: 'The books are still being written. Please try again in a moment.',
      },
    })
    await sql('alter table books.bookings drop constraint nobody_books')
    await school.settled()
    expect((await school.bursar.call(closings)).data).toEqual([])
  })

  test('keeps its figures once, with who and a hash, and stands in the history', async () => {
    school.setClock('2026-09-15T08:00:00+02:00')
    const closed = await close('2026-09-14', 4.5)
    expect(closed).toEqual({
      date: '2026-09-14',
      closedAt: '2026-09-15T06:00:00.000Z',
      closedBy: 'bursar',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      figures: mondayFigures,
      cashCounted: 4.5,
      cashDifference: 50,
    })
    await expect(close('2026-09-14')).rejects.toMatchObject({
      status: 409,
      body: { code: 'day_closed', message: 'This day is already closed' },
    })
    expect(await school.bursar.call(closingOf, { params: { date: '2026-09-14' } })).toEqual(closed)
    expect((await school.bursar.call(closings)).data).toEqual([closed])
    await sweepChanges()
    await eventually(async () => {
      const { data } = await school.bursar.call(auditEntries, { query: { kind: 'settings' } })
      return data.some(({ what, details }) => what === 'Books of 2026-09-14 closed' && 'new' in details)
    })
  })

  test('a closed day that no longer follows from the history is named by the audit', async () => {
    expect(await audited()).toContain('Everything balances')
    await sql(`update books.bookings set amount = amount - 100 where kind = 'received'`)
    expect(await audited()).toContain(
      'The closing of 2026-09-14 does not follow from the history: other amount was 45.50 and is 44.50.',
    )
    await sql(`update books.bookings set amount = amount + 100 where kind = 'received'`)
    await sql(`update books.closings set figures = jsonb_set(figures, '{unpaid}', '0')`)
    expect(await audited()).toContain('what was closed has been changed; unpaid was 0.00 and is 45.50')
    await sql(`update books.closings set figures = jsonb_set(figures, '{unpaid}', '45.5')`)
    expect(await audited()).toContain('Everything balances')
  })

  test('a month’s journal that differs from a closed day is named by the audit', async () => {
    await sql(`update books.bookings set sent_by = 'bank' where sent_by = 'cash'`)
    expect(await audited()).toContain(
      'The closing of 2026-09-14 does not follow from the history: cash in the journal of the month is 0.00 and in day end -45.50.',
    )
    await sql(`update books.bookings set sent_by = 'cash' where sent_by = 'bank'`)
    expect(await audited()).toContain('Everything balances')
  })
})

const sweepChanges = () => school.sweepNamed('append-changes')
