import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import {
  accountWords,
  bookMethods,
  bookPrograms,
  type AccountSettings,
  type BookAccount,
  type BookProgram,
} from '#contracts/books'
import { sum } from '#kernel/money'
import type { Refusal } from '#kernel/refusal'
import { schoolMoment } from '#kernel/school-time'
import { isClearing, type Account, type Booking, type Method } from '#modules/books/journal/booking'
import { bookingViews, journalFold } from '#modules/books/journal/bookings.view'
import { dayEndOf, type BookedSum } from '#modules/books/journal/day-end.decide'
import { monthFile } from '#modules/books/journal/month-file.commands'
import { monthOf, postingsOf } from '#modules/books/journal/month.decide'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { evolveRows, touchReader, type Row, type ViewRows } from '#platform/projections/row-view'
import { readHistory } from '../golden/history-file'
import { recorded } from '../support/recorded-events'
import { tries } from '../support/tries'
import { anyStory, eventsOf } from './money-days'

const zone = 'Africa/Lusaka'
const settings: AccountSettings = {
  program: 'csv',
  codes: {
    card: '1000',
    airtel: '1010',
    mtn: '1020',
    bank: '1030',
    cash: '1040',
    other: '1050',
    sales: '4000',
    discounts: '',
    refundsOwed: '2100',
    familyCredit: '2200',
    fees: '5000',
    absences: '',
  },
  taxCode: '',
}

/** As the journal's table tells them, which the int story compares. */
const sumsOf = (events: readonly RecordedEvent[]): BookedSum[] => {
  const views = bookingViews(zone)
  const rows: ViewRows = new Map(views.map((view) => [view, new Map<string, Row>()]))
  evolveRows(rows, touchReader(views)(events))
  const [bookings, attempts, orders, , transfers] = views.map((view) => rows.get(view)!)
  const methodOf = ({ order_id: orderId, attempt_id: attemptId }: Booking): Method => {
    const order = orders!.get(orderId ?? '')
    const transfer = transfers!.get((order?.transfer_id as string | null | undefined) ?? '')
    return ((transfer ?? order ?? attempts!.get(attemptId ?? ''))?.method as Method | undefined) ?? 'other'
  }
  return ([...bookings!.values()] as Booking[])
    .filter(({ kind }) => kind !== 'meal')
    .map((one) => ({
      date: one.booked,
      kind: one.kind,
      method: one.kind === 'paid_back' ? (one.method ?? methodOf(one)) : one.method,
      sentBy: one.sent_by,
      ofAccount:
        (one.kind === 'granted' && one.order_id === null) ||
        (one.kind === 'given_up' && one.attempt_id === null),
      amount: one.amount,
      payments: one.part === 0 ? 1 : 0,
      undone: one.kind === 'paid_back' && one.method !== null ? one.amount : 0,
    }))
}

/** What the whole journal moves on each day, in transit included. */
const movedOf = (events: readonly RecordedEvent[]): Map<string, Map<Account, number>> => {
  const days = new Map<string, Map<Account, number>>()
  const { add } = journalFold((event, movements) => {
    const { date } = schoolMoment(new Date((event.data as { at: string }).at), zone)
    const day = days.get(date) ?? new Map<Account, number>()
    for (const { kind, amount } of movements) day.set(kind, (day.get(kind) ?? 0) + amount)
    days.set(date, day)
  })
  add(events)
  return days
}

const byDay = (sums: readonly BookedSum[]): [string, BookedSum[]][] =>
  [...new Set(sums.map(({ date }) => date))]
    .toSorted()
    .map((date) => [date, sums.filter((one) => one.date === date)])

const expectOneNumber = (events: readonly RecordedEvent[]): void => {
  const sums = sumsOf(events)
  const moved = movedOf(events)
  for (const [date, own] of byDay(sums)) {
    const postings = postingsOf(own)
    const { days } = dayEndOf({ from: date, to: date }, own, { owed: 0, unpaid: 0 })
    const day = days[0]!
    const kwacha = (...accounts: BookAccount[]) =>
      sum(accounts.map((account) => postings.get(account)!)) / 100
    const all = moved.get(date)!
    const movement = (isIt: (kind: Account) => boolean) =>
      sum([...all].map(([kind, amount]) => (isIt(kind) ? amount : 0)))
    const inTransit = movement((kind) => isClearing(kind) && kind !== 'credit_held')
    const sold = movement((kind) => kind === 'meal' || kind === 'discount' || kind === 'given_up')
    const credit = movement((kind) => kind === 'credit_given' || kind === 'credit' || kind === 'credit_held')

    expect(sum([...postings.values()])).toBe(0)
    expect([date, 0 - postings.get('sales')!]).toEqual([date, sold - (all.get('unpaid') ?? 0) + inTransit])
    expect([date, 0 - postings.get('familyCredit')!]).toEqual([date, credit])
    const money = sum(day.methods.map((one) => Math.round((one.amount - one.refundsPaid) * 100)))
    expect(Math.round(kwacha(...bookMethods) * 100)).toBe(money - Math.round(day.paidOut * 100))
    expect(kwacha('cash')).toBeCloseTo(day.till.expected, 6)
    expect(-kwacha('refundsOwed')).toBeCloseTo(day.owed, 6)
  }
}

test('each day balances, and its sums are day end’s and those of the whole journal', () => {
  fc.assert(
    fc.property(anyStory, (story) => expectOneNumber(eventsOf(story))),
    { seed: 20, numRuns: tries(100) },
  )
})

const golden = (): RecordedEvent[] =>
  readHistory().map((event, index) => ({
    ...recorded({ type: event.type, data: event.data } as never, {
      id: event.id,
      position: String(index + 1).padStart(20, '0'),
      revision: event.revision,
    }),
    stream: event.stream,
    metadata: event.metadata,
  }))

test('the months of the recorded history balance day by day and agree with day end', () => {
  const events = golden()
  expectOneNumber(events)
  const sums = sumsOf(events)
  const accounts = new Set<string>()
  for (const month of new Set(sums.map(({ date }) => date.slice(0, 7)))) {
    const own = sums.filter(({ date }) => date.startsWith(month))
    const { days, totals } = monthOf(month, { sums: own, hashes: new Map(), settings })
    expect(totals.debit).toBe(totals.credit)
    const numbers = days.filter(({ entries }) => entries.length > 0).map(({ entries }) => entries[0]!.number)
    expect(numbers).toEqual(numbers.map((_, index) => `J${month}-${String(index + 1).padStart(3, '0')}`))
    for (const { entries } of days) {
      expect(new Set(entries.map(({ account }) => account)).size).toBe(entries.length)
      for (const { account, debit, credit } of entries) {
        expect([debit, credit].filter((amount) => amount > 0)).toHaveLength(1)
        accounts.add(account)
      }
    }
  }
  expect([...accounts].toSorted()).toEqual([
    'airtel',
    'card',
    'cash',
    'discounts',
    'familyCredit',
    'fees',
    'other',
    'refundsOwed',
    'sales',
  ])
})

const date = '2026-11-02'
const booked = (...some: Partial<BookedSum>[]): BookedSum[] =>
  some.map((one) => ({
    date,
    kind: 'received',
    method: null,
    sentBy: null,
    ofAccount: false,
    amount: 0,
    payments: 0,
    undone: 0,
    ...one,
  }))
const entriesOf = (...some: Partial<BookedSum>[]) =>
  monthOf('2026-11', { sums: booked(...some), hashes: new Map(), settings }).days.flatMap(({ entries }) =>
    entries.map(({ account, code, debit, credit }) => `${account} ${code} ${debit} ${credit}`),
  )

test.each([
  ['cash', 'card', ['cash 1040 0 45', 'refundsOwed 2100 45 0']],
  ['bank', 'card', ['bank 1030 0 45', 'refundsOwed 2100 45 0']],
  ['card', 'card', ['card 1000 0 45', 'refundsOwed 2100 45 0']],
  ['mobile_money', 'mtn', ['mtn 1020 0 45', 'refundsOwed 2100 45 0']],
  ['mobile_money', 'card', ['other 1050 0 45', 'refundsOwed 2100 45 0']],
  ['manual', 'airtel', ['airtel 1010 0 45', 'refundsOwed 2100 45 0']],
] as const)(
  'a refund by %s of what came by %s goes out of the method it left by',
  (sentBy, method, entries) => {
    const back = { kind: 'paid_back', method, sentBy, amount: 4500 } as const
    expect(entriesOf(back, { kind: 'owed', amount: -4500 })).toEqual(entries)
  },
)

test('a discount raises sales by what it costs, a gift is a discount, an absence and a fee have their own accounts', () => {
  expect(entriesOf({ method: 'card', amount: 3500 }, { kind: 'discount', amount: 1000 })).toEqual([
    'card 1000 35 0',
    'discounts 4000 10 0',
    'sales 4000 0 45',
  ])
  expect(
    entriesOf({ kind: 'granted', ofAccount: true, amount: 500 }, { kind: 'granted', amount: 700 }),
  ).toEqual(['discounts 4000 5 0', 'familyCredit 2200 0 12', 'absences 4000 7 0'])
  expect(entriesOf({ method: 'card', amount: 4400 }, { kind: 'written_off', amount: 100 })).toEqual([
    'card 1000 44 0',
    'fees 5000 1 0',
    'sales 4000 0 45',
  ])
})

test('what a family gives up is income, credit that is paid out leaves by its way', () => {
  expect(entriesOf({ kind: 'given_up', ofAccount: true, amount: 500 })).toEqual([
    'familyCredit 2200 5 0',
    'sales 4000 0 5',
  ])
  expect(entriesOf({ kind: 'credit_paid_out', sentBy: 'bank', amount: 500 })).toEqual([
    'bank 1030 0 5',
    'familyCredit 2200 5 0',
  ])
})

test('a closed day names its hash, a day without entries has no number', () => {
  const sums = [
    ...booked({ kind: 'free_meal', amount: 1 }),
    ...booked({ method: 'cash', amount: 100 }).map((one) => ({ ...one, date: '2026-11-03' })),
  ]
  const { days } = monthOf('2026-11', { sums, hashes: new Map([['2026-11-03', 'abc']]), settings })
  expect(days).toMatchObject([
    { date, closed: false, entries: [] },
    {
      date: '2026-11-03',
      closed: true,
      entries: [
        { number: 'J2026-11-001', text: 'Cash 03/11/2026, closing abc' },
        { number: 'J2026-11-001', text: 'Meals 03/11/2026, closing abc' },
      ],
    },
  ])
})

describe('import files of a month', () => {
  const hash = 'c0ffee12'.repeat(8)
  const dates = ['2026-11-02', '2026-11-03']
  const month = (codes: Partial<AccountSettings['codes']> = {}, taxCode = 'No VAT', on = dates) => {
    const own = { ...settings, taxCode, codes: { ...settings.codes, ...codes } }
    const sums = on.flatMap((one) =>
      booked(
        { method: 'card', amount: 4550 },
        { kind: 'paid_back', method: 'card', sentBy: 'cash', amount: 1000 },
        { kind: 'discount', amount: 450 },
        { kind: 'owed', amount: -1000 },
      ).map((sum) => ({ ...sum, date: one })),
    )
    const hashes = new Map(on.map((one) => [one, hash]))
    return { hashes, settings: own, days: monthOf('2026-11', { sums, hashes, settings: own }).days }
  }
  const asked = (program: BookProgram, part: '1' | '2' = '1') =>
    ({ month: '2026-11', for: program, part }) as const
  const sample = (program: BookProgram) =>
    readFileSync(join(__dirname, `../../docs/journal-files/${program}.csv`), 'utf8')

  test.each(bookPrograms)('for %s is the sample of the documentation, to the byte', (program) => {
    const { name, text } = monthFile(asked(program), month())
    expect(name).toBe(`tuckshop-journal-2026-11-${program}.csv`)
    expect(text).toBe(sample(program))
    expect(monthFile(asked(program), month()).text).toBe(text)
  })

  const total = (amounts: readonly string[]) =>
    amounts.reduce((all, amount) => all + Math.round(Number(amount || 0) * 100), 0)

  test('read back, each journal balances and the totals are the journal’s', () => {
    const read = (program: BookProgram): Record<string, string>[] =>
      parse(sample(program), { bom: true, columns: true })
    const xero = read('xero')
    expect(total(xero.map((row) => row['*Amount']!))).toBe(0)
    expect(new Set(xero.map((row) => `${row['*Narration']} ${row['*Date']}`)).size).toBe(2)
    for (const [program, debit, credit] of [
      ['quickbooks', 'Debits', 'Credits'],
      ['csv', 'Debit (K)', 'Credit (K)'],
    ] as const) {
      const rows = read(program)
      expect(total(rows.map((row) => row[debit]!))).toBe(12_000)
      expect(total(rows.map((row) => row[credit]!))).toBe(12_000)
    }
    const sage: string[][] = parse(sample('sage'))
    expect(total(sage.map((row) => row[6]!))).toBe(0)
    for (const row of sage) {
      expect(row).toHaveLength(18)
      expect(row[4]).toMatch(/^J1126\d{3}$/)
      expect(row[5]!.length).toBeLessThanOrEqual(36)
      expect(row[5]!.slice(0, 8)).toBe(hash.slice(0, 8))
    }
  })

  test('no words of an account are too long for the 36 characters of Sage', () => {
    for (const words of Object.values(accountWords)) expect(words.length).toBeLessThanOrEqual(16)
  })

  const refusalOf = (act: () => unknown) => {
    try {
      return act()
    } catch (error) {
      const { code, extra } = error as Refusal
      return { code, ...extra }
    }
  }

  test('an open day with bookings is refused, with its date', () => {
    const closed = month()
    const days = closed.days.map((day) => ({ ...day, closed: day.date !== '2026-11-03' }))
    expect(refusalOf(() => monthFile(asked('csv'), { ...closed, days }))).toEqual({
      code: 'days_open',
      dates: ['2026-11-03'],
    })
  })

  test('an account without a number is refused by name where the file needs it', () => {
    const closed = month({ cash: '', sales: '' }, '')
    for (const program of ['sage', 'quickbooks'] as const)
      expect(refusalOf(() => monthFile(asked(program), closed))).toEqual({
        code: 'accounts_missing',
        names: ['cash', 'discounts', 'sales'],
      })
    expect(refusalOf(() => monthFile(asked('xero'), closed))).toMatchObject({
      names: ['cash', 'discounts', 'sales', 'taxCode'],
    })
    expect(monthFile(asked('csv'), closed).text).toContain('"Cash","","","10.00"')
    expect(refusalOf(() => monthFile(asked('xero'), month({}, '')))).toMatchObject({ names: ['taxCode'] })
  })

  test('a file for Xero of more than 300 lines is split between days', () => {
    const many = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`)
    const closed = month({}, 'No VAT', many)
    const entry = closed.days[0]!.entries[0]!
    const days = closed.days.map((day) => ({ ...day, entries: Array.from({ length: 12 }, () => entry) }))
    const files = (['1', '2'] as const).map((part) => monthFile(asked('xero', part), { ...closed, days }))
    expect(files.map(({ name }) => name)).toEqual([
      'tuckshop-journal-2026-11-xero-1-of-2.csv',
      'tuckshop-journal-2026-11-xero-2-of-2.csv',
    ])
    const lines = files.map(({ text }) => (parse(text, { columns: true }) as unknown[]).length)
    expect(lines).toEqual([300, 60])
    expect(refusalOf(() => monthFile(asked('sage', '2'), closed))).toEqual({ code: 'no_such_part' })
    expect(refusalOf(() => monthFile(asked('xero', '2'), month()))).toEqual({ code: 'no_such_part' })
  })
})
