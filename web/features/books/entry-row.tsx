import type { AuditEntry, AuditKind, ChangeDetails } from '#contracts/audit'
import { kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/icon-button'
import { StackedCell, StackedRow } from '../../ui/stacked-table'

/** Asks for the history of what an entry is about. */
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

/** The order or payment whose whole history explains an entry; null where there is none. */
const subjectOf = (entry: AuditEntry): { of: 'attempt' | 'order'; id: string; name: string } | null => {
  if (entry.orderId) return { of: 'order', id: entry.orderId, name: `Order ${entry.orderId}` }
  if (entry.attemptId)
    return { of: 'attempt', id: entry.attemptId, name: `Payment ${entry.attemptId.slice(-12)}` }
  return null
}

/** One thing that happened, with its number in the chain over all events. */
export const EntryRow = ({ entry, onHistory }: { entry: AuditEntry; onHistory: OnHistory }) => {
  const subject = subjectOf(entry)
  return (
    <StackedRow>
      <StackedCell width="most" className="@max-4xl:order-1 @max-4xl:self-center @4xl:w-32">
        <time dateTime={entry.at} className="money @max-4xl:text-muted">
          {entry.schoolTime}
        </time>
      </StackedCell>
      <StackedCell width="full" className="@max-4xl:order-3">
        <span className="font-semibold break-words">{entry.what}</span>
        <EntryDetails details={entry.details} />
      </StackedCell>
      <StackedCell width="half" label="Who" className="break-words @max-4xl:order-4">
        {entry.who}
      </StackedCell>
      <StackedCell width="half" label="Amount" className="@max-4xl:order-5 @4xl:text-right">
        <span className="money font-semibold">{entry.amount === null ? '–' : kwacha(entry.amount)}</span>
      </StackedCell>
      <StackedCell width="half" className="@max-4xl:order-6 @max-4xl:self-center">
        <Badge>{kindLabels[entry.kind]}</Badge>
      </StackedCell>
      <StackedCell width="half" label="Number" className="@max-4xl:order-7 @4xl:text-right">
        <span className="money" title={entry.hash ?? undefined}>
          {entry.number ?? 'Not yet'}
        </span>
      </StackedCell>
      <StackedCell
        width="third"
        className="px-0! py-1.5! @max-4xl:order-2 @max-4xl:py-0! @max-4xl:text-right @4xl:w-px"
      >
        {subject ? (
          <IconButton
            icon="history"
            label={`History of ${subject.name}, ${entry.schoolTime}`}
            onClick={() => onHistory({ of: subject.of, id: subject.id, title: subject.name })}
          />
        ) : null}
      </StackedCell>
    </StackedRow>
  )
}

const EntryDetails = ({ details }: { details: AuditEntry['details'] }) => {
  const facts = Object.entries(isChange(details) ? changeTexts(details) : details)
  if (facts.length === 0) return null
  return (
    <span className="block text-xs wrap-anywhere text-muted">
      {facts.map(([name, text]) => `${name}: ${text}`).join(' · ')}
    </span>
  )
}

type Details = AuditEntry['details']

const isChange = (details: Details): details is ChangeDetails =>
  typeof details['old'] === 'object' && typeof details['new'] === 'object'

/** `{ price: '45.00' }` before and `{ price: '50.00' }` after as `price: 45.00 → 50.00`. */
const changeTexts = ({ old, new: now }: ChangeDetails): Record<string, string> =>
  Object.fromEntries(
    Object.keys({ ...old, ...now }).flatMap((name) => {
      const before = valueText(old?.[name])
      const after = valueText(now?.[name])
      if (!old || !now) return before + after === '' ? [] : [[name, old ? `${before} (gone)` : after]]
      return [[name, `${before || 'nothing'} → ${after || 'nothing'}`]]
    }),
  )

const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .flatMap(([name, one]) => (valueText(one) === '' ? [] : [`${name} ${valueText(one)}`]))
    .join(', ')
}
