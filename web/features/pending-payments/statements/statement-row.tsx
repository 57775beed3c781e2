import type { StatementRow } from '#contracts/transfers'
import { counted, kwacha } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Checkbox } from '../../../ui/checkbox'
import { StackedCell, StackedRow } from '../../../ui/data-table'
import { familyLabel, readyOrders, rowText, rowTime } from './api'

type StatementRowViewProps = {
  row: StatementRow
  busy: boolean
  problem: string | undefined
  chosen: boolean | null
  onSwitch: () => void
} & RowActions

type RowActions = {
  onConfirm: () => void
  onChoose: () => void
  onUndo: () => void
  onIgnore: () => void
  onUnignore: () => void
}

/** Payment, match and acts. */
export const StatementRowView = ({
  row,
  busy,
  problem,
  chosen,
  onSwitch,
  ...acts
}: StatementRowViewProps) => (
  <StackedRow data-row={row.id} className={chosen ? 'bg-brand-50!' : undefined}>
    <StackedCell width="third" className="@max-4xl:order-2 @max-4xl:text-right @4xl:w-px">
      {chosen === null ? null : (
        <Checkbox label={`Choose ${rowText(row)}`} hideLabel checked={chosen} onChange={onSwitch} />
      )}
    </StackedCell>
    <StackedCell width="most" className="@max-4xl:order-1 @4xl:text-right">
      <span className="money block text-base font-semibold">{kwacha(row.amount)}</span>
      <span className="money block text-xs whitespace-nowrap text-muted">{rowTime(row.at)}</span>
    </StackedCell>
    <StackedCell width="full" className="wrap-anywhere @max-4xl:order-3 @4xl:w-2/5">
      <span className="font-semibold">{row.payer ?? 'Unknown payer'}</span>
      {row.phone ? <span className="money text-muted">{` ${row.phone}`}</span> : null}
      <span className="block">{row.text}</span>
      <span className="money block text-xs text-muted">{row.transactionId}</span>
    </StackedCell>
    <StackedCell width="full" className="wrap-anywhere @max-4xl:order-4 @4xl:w-2/5">
      <Pays row={row} />
      {problem ? <p className="mt-1 font-semibold text-danger-700">{problem}</p> : null}
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-5">
      <Actions row={row} busy={busy} {...acts} />
    </StackedCell>
  </StackedRow>
)

const Pays = ({ row }: { row: StatementRow }) => {
  if (row.paid) return <Paid paid={row.paid} />
  if (row.state === 'ignored') return <Badge>Ignored</Badge>
  return row.match ? <Match match={row.match} amount={row.amount} /> : <Open row={row} />
}

const Match = ({ match, amount }: { match: NonNullable<StatementRow['match']>; amount: number }) => (
  <>
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {match.certainty === 'exact' ? (
        <Badge tone="brand" icon="check">
          Exact
        </Badge>
      ) : (
        <Badge tone="info">Likely</Badge>
      )}
      <span className="font-semibold">{match.parents.map(familyLabel).join(', ')}</span>
    </span>
    <span className="block">
      {`${counted(match.orderIds.length, 'meal')}, ${kwacha(match.amount)}, `}
      <span className="money">{match.references.join(', ')}</span>
    </span>
    {match.amount < amount ? (
      <span className="block">{`${kwacha(amount - match.amount)} more becomes credit`}</span>
    ) : null}
    <span className="block text-xs text-muted">{match.why}</span>
  </>
)

const Open = ({ row: { named, amount } }: { row: StatementRow }) => (
  <>
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone="warning">Open</Badge>
      {named ? <span className="font-semibold">{named.parents.map(familyLabel).join(', ')}</span> : null}
    </span>
    {named ? (
      <span className="block">
        {`${kwacha(named.amount)} is unpaid on ${named.references.join(', ')}: `}
        {named.amount < amount
          ? `${kwacha(amount - named.amount)} more came and becomes credit`
          : `${kwacha(named.amount - amount)} is missing`}
      </span>
    ) : null}
  </>
)

const Paid = ({ paid: { families } }: { paid: NonNullable<StatementRow['paid']> }) => (
  <>
    <Badge tone="brand" icon="check">
      Confirmed
    </Badge>
    {families.map(({ parent, orderIds, amount, surplus }) => (
      <span key={parent.id} className="block">
        <span className="font-semibold">{familyLabel(parent)}</span>
        {orderIds.length > 0 ? `: ${counted(orderIds.length, 'meal')}, ${kwacha(amount)}` : null}
        {surplus > 0 ? `${orderIds.length > 0 ? ', and' : ':'} ${kwacha(surplus)} as credit` : null}
      </span>
    ))}
  </>
)

const Actions = ({
  row,
  busy,
  onConfirm,
  onChoose,
  onUndo,
  onIgnore,
  onUnignore,
}: RowActions & { row: StatementRow; busy: boolean }) => {
  const words = rowText(row)
  const one = (label: string, act: () => void, variant: 'primary' | 'secondary' | 'ghost' = 'secondary') => (
    <Button
      size="sm"
      className="whitespace-nowrap"
      variant={variant}
      aria-label={`${label}: ${words}`}
      disabled={busy}
      onClick={act}
    >
      {label}
    </Button>
  )
  return (
    <span className="flex flex-wrap gap-2 @4xl:justify-end">
      {readyOrders(row).length > 0 ? one('Confirm', onConfirm, 'primary') : null}
      {row.state === 'suggested' || row.state === 'open' ? (
        <>
          {one('Choose meals', onChoose)}
          {one('Ignore', onIgnore, 'ghost')}
        </>
      ) : null}
      {row.state === 'confirmed' ? one('Undo', onUndo) : null}
      {row.state === 'ignored' ? one('Bring back', onUnignore) : null}
    </span>
  )
}
