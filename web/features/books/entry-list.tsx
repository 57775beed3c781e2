import type { AuditEntry, AuditKind, ChangeDetails, EntrySort } from '#contracts/audit'
import { capitalised, kwacha, longDate } from '../../lib/format'
import { schoolClock, schoolDay } from '../../lib/school-moment'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { type DataColumn, DataTable } from '../../ui/data-table'
import { bothWays, SortSelect } from '../../ui/filters'
import type { SortProps } from '../../ui/sort-head'

export type OnHistory = (asked: { of: 'attempt' | 'order'; id: string; title: string }) => void

export const kindLabels: Record<AuditKind, string> = {
  checkout: 'Checkout',
  provider: 'Card provider',
  payment: 'Payment',
  recovery: 'Recovery',
  order: 'Order',
  refund: 'Refund',
  credit: 'Credit',
  settings: 'Settings',
  accounts: 'Accounts',
  catalogue: 'Menu',
  cycles: 'Cycles',
}

/** Null when no order or payment explains the entry. */
const subjectOf = (entry: AuditEntry): { of: 'attempt' | 'order'; id: string; name: string } | null => {
  if (entry.orderId) return { of: 'order', id: entry.orderId, name: `Order ${entry.orderId}` }
  if (entry.attemptId)
    return { of: 'attempt', id: entry.attemptId, name: `Payment ${entry.attemptId.slice(-12)}` }
  return null
}

type EntryListProps = {
  entries: readonly AuditEntry[]
  sorted: SortProps<EntrySort>
  onHistory: OnHistory
}

/** Numbers are those of the hash chain. */
export const EntryList = ({ entries, sorted, onHistory }: EntryListProps) => (
  <>
    <SortSelect choices={orders} className="w-full sm:w-64 xl:hidden" {...sorted} />
    <DataTable
      label="Books"
      columns={columnsOf(onHistory)}
      rows={entries}
      keyOf={({ id }) => id}
      sorted={sorted}
    />
  </>
)

const orders = [
  ...bothWays<EntrySort>('time', 'Time', 'age'),
  ...bothWays<EntrySort>('kind', 'Kind', 'text'),
  ...bothWays<EntrySort>('amount', 'Amount', 'number'),
]

const columnsOf = (onHistory: OnHistory): DataColumn<AuditEntry, EntrySort>[] => [
  {
    label: 'Time',
    by: 'time',
    width: 'most',
    className: '@max-4xl:order-1 @max-4xl:self-center @4xl:w-32',
    cell: ({ at }) => (
      <time dateTime={at} className="money @max-4xl:text-muted">
        {timeOf(at)}
      </time>
    ),
  },
  {
    label: 'What',
    width: 'full',
    className: '@max-4xl:order-3',
    cell: ({ what, details }) => (
      <>
        <span className="font-semibold break-words">{datesInWords(what)}</span>
        <EntryDetails details={details} />
      </>
    ),
  },
  { label: 'Who', named: true, className: 'break-words @max-4xl:order-4', cell: ({ who }) => who },
  {
    label: 'Amount',
    by: 'amount',
    headClass: 'text-right',
    named: true,
    className: '@max-4xl:order-5 @4xl:text-right',
    cell: ({ amount }) => (
      <span className="money font-semibold">{amount === null ? '–' : kwacha(amount)}</span>
    ),
  },
  {
    label: 'Kind',
    by: 'kind',
    className: '@max-4xl:order-6 @max-4xl:self-center',
    cell: ({ kind }) => <Badge>{kindLabels[kind]}</Badge>,
  },
  {
    label: 'Number',
    headClass: 'text-right',
    named: true,
    className: '@max-4xl:order-7 @4xl:text-right',
    cell: ({ hash, number }) => (
      <span className="money" title={hash ?? undefined}>
        {number ?? 'Not yet'}
      </span>
    ),
  },
  {
    label: 'History',
    hideLabel: true,
    width: 'third',
    className: 'px-0! py-1.5! @max-4xl:order-2 @max-4xl:py-0! @max-4xl:text-right @4xl:w-px',
    cell: (entry) => <HistoryButton entry={entry} onHistory={onHistory} />,
  },
]

const HistoryButton = ({ entry, onHistory }: { entry: AuditEntry; onHistory: OnHistory }) => {
  const subject = subjectOf(entry)
  return subject ? (
    <IconButton
      icon="history"
      label={`History of ${subject.name}, ${timeOf(entry.at)}`}
      onClick={() => onHistory({ of: subject.of, id: subject.id, title: subject.name })}
    />
  ) : null
}

const EntryDetails = ({ details }: { details: AuditEntry['details'] }) => {
  const facts = Object.entries(isChange(details) ? changeTexts(details) : details)
  if (facts.length === 0) return null
  return (
    <span className="block text-xs wrap-anywhere text-muted">
      {facts.map(([name, text]) => `${keyInWords(name)}: ${datesInWords(String(text))}`).join(' · ')}
    </span>
  )
}

/** Of a closed day; its paper has them. */
const onPaper = ['figures', 'hash']

const timeOf = (at: string): string => `${schoolDay(at)}, ${schoolClock(at)}`

/** `creditGiven` and `credit_given` as "Credit given". */
const keyInWords = (key: string): string =>
  capitalised(
    key
      .replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ')
      .replaceAll(/ [A-Z](?=[a-z])/g, (letters) => letters.toLowerCase()),
  )

const instant = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g
// Not the date inside the id of an order.
const day = /(?<![\w.-])(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}))?(?![\w.-]*[\w-])/g

const datesInWords = (text: string): string =>
  text
    .replaceAll(instant, timeOf)
    .replaceAll(day, (_, date: string, clock?: string) =>
      clock ? `${longDate(date)}, ${clock}` : longDate(date),
    )

type Details = AuditEntry['details']

const isChange = (details: Details): details is ChangeDetails =>
  typeof details['old'] === 'object' && typeof details['new'] === 'object'

const changeTexts = ({ old, new: now }: ChangeDetails): Record<string, string> =>
  Object.fromEntries(
    Object.keys({ ...old, ...now })
      .filter((name) => !onPaper.includes(name))
      .flatMap((name) => {
        const before = valueText(old?.[name])
        const after = valueText(now?.[name])
        if (!old || !now) return before + after === '' ? [] : [[name, old ? `${before} (gone)` : after]]
        return [[name, `${before || 'nothing'} → ${after || 'nothing'}`]]
      }),
  )

const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .flatMap(([name, one]) =>
      valueText(one) === '' ? [] : [`${keyInWords(name).toLowerCase()} ${valueText(one)}`],
    )
    .join(', ')
}
