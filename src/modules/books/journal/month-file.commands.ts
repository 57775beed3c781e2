import { stringify, type Options } from 'csv-stringify/sync'
import {
  accountWords,
  xeroLines,
  type AccountSettings,
  type BookProgram,
  type JournalDay,
  type JournalEntry,
} from '#contracts/books'
import { csvFormat } from '#contracts/csv'
import type { SchoolDate } from '#kernel/school-time'
import { refusal } from '../refusals'
import { dayFirst } from './month.decide'

type Asked = { month: string; for: BookProgram; part: '1' | '2' }
type Closed = {
  days: readonly JournalDay[]
  hashes: ReadonlyMap<SchoolDate, string>
  settings: AccountSettings
}

/** The import file of a month whose days are closed; its layouts and their sources: docs/journal-files.md. Throws `days_open`, `accounts_missing` and `no_such_part`. */
export const monthFile = (asked: Asked, closed: Closed): { name: string; text: string } => {
  const { month, for: program } = asked
  const dates = closed.days.filter((day) => !day.closed).map(({ date }) => date)
  if (dates.length > 0) throw refusal('days_open', { extra: { dates } })
  const names = missingIn(program, closed)
  if (names.length > 0) throw refusal('accounts_missing', { extra: { names } })
  const parts = program === 'xero' ? partsOf(closed.days) : [closed.days]
  const part = Number(asked.part)
  const days = parts[part - 1]
  if (!days) throw refusal('no_such_part')
  const numbered = parts.length > 1 ? `-${part}-of-${parts.length}` : ''
  const lines = days.flatMap((day) => day.entries.map((entry) => ({ ...entry, date: day.date })))
  const { head, rowOf, more } = layouts[program]
  const rows = lines.map((line) =>
    rowOf({ ...line, hash: closed.hashes.get(line.date)!, taxCode: closed.settings.taxCode }),
  )
  const text = stringify(head === null ? rows : [head, ...rows], { ...importFormat, ...more })
  return { name: `tuckshop-journal-${month}-${program}${numbered}.csv`, text }
}

/** Keys of accounts without a number. A plain table needs none. */
const missingIn = (program: BookProgram, { days, settings }: Closed): string[] => {
  if (program === 'csv') return []
  const without = days.flatMap(({ entries }) =>
    entries.flatMap(({ account, code }) => (code === '' ? [account] : [])),
  )
  const noTax = program === 'xero' && settings.taxCode === '' ? ['taxCode'] : []
  return [...new Set<string>(without), ...noTax]
}

/** Whole days, at most 300 lines together. */
const partsOf = (days: readonly JournalDay[]): JournalDay[][] => {
  const parts: JournalDay[][] = [[]]
  let lines = 0
  for (const day of days) {
    lines += day.entries.length
    if (lines > xeroLines) {
      parts.push([])
      lines = day.entries.length
    }
    parts.at(-1)!.push(day)
  }
  return parts
}

type Line = JournalEntry & { date: SchoolDate; hash: string; taxCode: string }
type Cell = string | number
type Layout = { head: readonly string[] | null; rowOf: (line: Line) => Cell[]; more?: Options }

const importFormat: Options = { record_delimiter: csvFormat.record_delimiter, cast: csvFormat.cast }

const signed = ({ debit, credit }: JournalEntry): number => (debit > 0 ? debit : -credit)
const orEmpty = (amount: number): Cell => (amount === 0 ? '' : amount)

const layouts: Record<BookProgram, Layout> = {
  sage: {
    head: null,
    rowOf: (line) => [
      String(Number(line.date.slice(5, 7))),
      dayFirst(line.date),
      'G',
      line.code,
      `J${line.date.slice(5, 7)}${line.date.slice(2, 4)}${line.number.slice(-3)}`,
      `${line.hash.slice(0, 8)} ${accountWords[line.account]} ${dayFirst(line.date)}`,
      signed(line),
      '0',
      0,
      '',
      '',
      '',
      '1',
      '1',
      '1',
      '0',
      0,
      signed(line),
    ],
  },
  quickbooks: {
    head: ['Journal No.', 'Journal Date', 'Account Name', 'Debits', 'Credits', 'Description'],
    rowOf: (line) => [
      line.number,
      dayFirst(line.date),
      line.code,
      orEmpty(line.debit),
      orEmpty(line.credit),
      line.text,
    ],
  },
  xero: {
    head: [
      '*Narration',
      '*Date',
      'Description',
      '*AccountCode',
      '*TaxRate',
      '*Amount',
      'TrackingName1',
      'TrackingOption1',
      'TrackingName2',
      'TrackingOption2',
    ],
    rowOf: (line) => [
      `${line.number}, closing ${line.hash}`,
      dayFirst(line.date),
      line.text,
      line.code,
      line.taxCode,
      signed(line),
      '',
      '',
      '',
      '',
    ],
  },
  csv: {
    head: ['Number', 'Date', 'Account', 'Code', 'Debit (K)', 'Credit (K)', 'Text'],
    rowOf: (line) => [
      line.number,
      dayFirst(line.date),
      accountWords[line.account],
      line.code,
      orEmpty(line.debit),
      orEmpty(line.credit),
      line.text,
    ],
    more: { bom: true, quoted: true, quoted_empty: true },
  },
}
