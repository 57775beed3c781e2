import type { AuditNeeds } from '../needs'
import { stringify } from 'csv-stringify/sync'
import { csvFormat } from '#contracts/csv'
import type { ChangeDetails } from '#contracts/audit'
import { decimalFromNgwee } from '#kernel/money'
import { entriesBefore, type EntryFilter } from './entries.rows'
import { entryReply, isChange, type Names, type ShownEntry, namesIn } from './entry'
export const numberColumn = 'Number'
export const hashColumn = 'Hash'

const header = [
  numberColumn,
  'School time',
  'Who',
  'What',
  'Kind',
  'Amount (K)',
  'Attempt',
  'Order',
  'Details',
  'Event',
  hashColumn,
]

const pageSize = 500

export async function* exportedEntries(needs: AuditNeeds, filter: EntryFilter): AsyncGenerator<string> {
  yield csvLines([header], { bom: true })
  let before: string | null = null
  for (;;) {
    const page: ShownEntry[] = await entriesBefore(needs.database.pool, filter, before, pageSize)
    const last = page.at(-1)
    if (!last) return
    const names = await namesIn(needs, page)
    yield csvLines(page.map((entry) => cellsOf(entry, names, needs.zone)))
    if (page.length < pageSize) return
    before = last.position
  }
}

const cellsOf = (entry: ShownEntry, names: Names, zone: string): string[] => {
  const { schoolTime, who, what, details } = entryReply(entry, names, zone)
  return [
    entry.number === null ? '' : String(entry.number),
    schoolTime,
    who,
    what,
    entry.kind,
    entry.amount === null ? '' : decimalFromNgwee(entry.amount),
    entry.attempt_id ?? '',
    entry.order_id ?? '',
    Object.entries(isChange(details) ? changeText(details) : details)
      .map(([name, text]) => `${name}: ${text}`)
      .join('; '),
    entry.event_id,
    entry.hash ?? '',
  ]
}

const changeText = ({ old, new: now }: ChangeDetails): Record<string, string> => ({
  ...(old && { old: JSON.stringify(old) }),
  ...(now && { new: JSON.stringify(now) }),
})

/** Cells never start a formula; `bom` makes spreadsheets read UTF-8. */
export const csvLines = (rows: readonly (readonly string[])[], { bom = false } = {}): string =>
  stringify(rows as string[][], { ...csvFormat, bom })
