import { parse } from 'csv-parse/sync'
import { auditEntries } from '#contracts/audit'
import {
  closeDay,
  dayEnd,
  getAccounts,
  monthJournal,
  saveAccounts,
  type AccountSettings,
  type JournalDay,
} from '#contracts/books'
import { openFinance, type Finance } from '../audit/finance'
import { refused } from '../ordering/canteen'

let school: Finance
beforeAll(async () => {
  school = await openFinance()
})
afterAll(() => school.close())

const noCodes: AccountSettings['codes'] = {
  card: '',
  airtel: '',
  mtn: '',
  bank: '',
  cash: '',
  other: '',
  sales: '',
  discounts: '',
  refundsOwed: '',
  familyCredit: '',
  fees: '',
  absences: '',
}
const codes = { ...noCodes, card: '8400001', cash: '8400002', other: '8400003', sales: '1000000' }
const accounts: AccountSettings = { program: 'sage', codes, taxCode: '' }
const query = { month: '2026-09' }

test('the accounts of the books are empty until set by the feature settings, and stand in the history', async () => {
  const office = await school.administrator('accountsoffice', 'settings')
  expect(await office.call(getAccounts)).toMatchObject({ program: 'csv', codes: noCodes, taxCode: '' })
  for (const stranger of [school.bursar, school.mwila.parent]) {
    expect((await refused(stranger.call(getAccounts))).status).toBe(403)
    expect((await refused(stranger.call(saveAccounts, { body: accounts }))).status).toBe(403)
  }
  expect(await office.call(saveAccounts, { body: accounts })).toMatchObject(accounts)
  expect(await office.call(getAccounts)).toMatchObject(accounts)
  for (const wrong of [
    { ...accounts, program: 'excel' },
    { ...accounts, taxCode: 'x'.repeat(61) },
    { ...accounts, codes: { ...codes, sales: 'x'.repeat(61) } },
    { ...accounts, codes: { sales: '1000000' } },
    { ...accounts, codes: { ...codes, petty: '1' } },
  ] as AccountSettings[])
    expect((await refused(office.call(saveAccounts, { body: wrong }))).status).toBe(422)
  const entry = await school.sweepUntil(async () => {
    const { data } = await school.superadminClient.call(auditEntries, {
      query: { kind: 'settings', limit: 100 },
    })
    return data.find(({ what }) => what.includes('Accounts of the books changed')) ?? false
  })
  expect(entry.details).toMatchObject({ old: { program: 'csv' }, new: { program: 'sage' } })
})

const inShort = ({ date, closed, entries }: JournalDay) => [
  date,
  closed,
  ...entries.map(({ number, account, code, debit, credit }) =>
    [number, account, code, debit, credit].join(' '),
  ),
]

test('the month tells an entry a day and account, in double entry, as day end counts them', async () => {
  const { days, totals, month } = await school.bursar.call(monthJournal, { query })
  expect(month).toBe('2026-09')
  // What was paid otherwise went back in cash on the same day.
  expect(days.map(inShort)).toEqual([
    ['2026-09-14', false, 'J2026-09-001 cash 8400002 0 45.5', 'J2026-09-001 other 8400003 45.5 0'],
    ['2026-09-15', false, 'J2026-09-002 card 8400001 45 0', 'J2026-09-002 sales 1000000 0 45'],
  ])
  expect(totals).toEqual({ debit: 90.5, credit: 90.5 })
  const { totals: end } = await school.bursar.call(dayEnd, {
    query: { from: '2026-09-01', to: '2026-09-30', by: 'payment' },
  })
  const entries = days.flatMap((day) => day.entries)
  const money = entries.filter(({ account }) => account !== 'sales')
  expect(money.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBe(
    end.methods.reduce((sum, { amount, refundsPaid }) => sum + amount - refundsPaid, 0),
  )
})

test('a month is needed, and the books are for the feature history', async () => {
  for (const wrong of ['', '2026-13', '2026-9', '2026-09-01'])
    expect((await refused(school.bursar.call(monthJournal, { query: { month: wrong } }))).status).toBe(422)
  expect((await refused(school.mwila.parent.call(monthJournal, { query }))).status).toBe(403)
  expect((await school.mwila.parent.fetch('/api/books/journal/csv?month=2026-09&for=csv')).status).toBe(403)
  expect(await school.bursar.call(monthJournal, { query: { month: '2026-02' } })).toEqual({
    month: '2026-02',
    days: [],
    totals: { debit: 0, credit: 0 },
  })
})

const file = (program: string) => school.bursar.fetch(`/api/books/journal/csv?month=2026-09&for=${program}`)

test('a file is had once every day with bookings is closed and its accounts have numbers, the same each time', async () => {
  school.setClock('2026-10-01T08:00:00+02:00')
  await school.bursar.call(closeDay, { body: { date: '2026-09-14' } })
  const open = await file('sage')
  expect(open.status).toBe(409)
  expect(await open.json()).toMatchObject({ code: 'days_open', dates: ['2026-09-15'] })
  const { hash } = await school.bursar.call(closeDay, { body: { date: '2026-09-15' } })

  const sage = await file('sage')
  expect(sage.headers.get('content-disposition')).toBe(
    'attachment; filename="tuckshop-journal-2026-09-sage.csv"',
  )
  const text = await sage.text()
  expect(await (await file('sage')).text()).toBe(text)
  const rows: string[][] = parse(text)
  expect(rows.map((row) => [row[1], row[3], row[4], row[6]])).toEqual([
    ['14/09/2026', '8400002', 'J0926001', '-45.50'],
    ['14/09/2026', '8400003', 'J0926001', '45.50'],
    ['15/09/2026', '8400001', 'J0926002', '45.00'],
    ['15/09/2026', '1000000', 'J0926002', '-45.00'],
  ])
  expect(rows.at(-1)![5]).toBe(`${hash.slice(0, 8)} Meals 15/09/2026`)

  const xero = await file('xero')
  expect(xero.status).toBe(409)
  expect(await xero.json()).toMatchObject({ code: 'accounts_missing', names: ['taxCode'] })
  expect((await file('excel')).status).toBe(422)
})
