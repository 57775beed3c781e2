import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { QueryOf } from '#contracts/endpoint'
import type { AlikeRows, Statement, statementRows, StatementRow } from '#contracts/transfers'
import { counted, kwacha, wholeNumber } from '../../../lib/format'
import { addressWith, addressWithPage, pageFromAddress } from '../../../lib/list-address'
import { dateAndTime } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Card, CardBody } from '../../../ui/card'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { SkippedNotice } from '../../../ui/notice'
import { PagedList } from '../../../ui/paged-list'
import { EmptyState } from '../../../ui/query-result'
import { useSelection } from '../../../ui/selection'
import { total } from '../pending-groups'
import { rowsQuery, sourceLabel, rowText } from './api'
import { LeftOutList } from './left-out-list'
import { isLikely, isToDo, RowList, useRowActs, type Done } from './row-list'

type StatementScreenProps = {
  id: number
  onBack: () => void
  /** Result of an upload just made. */
  children: ReactNode
}

/** Filter and page are in the address. */
export const StatementScreen = ({ id, onBack, children }: StatementScreenProps) => {
  const [address, setAddress] = useSearchParams()
  const page = pageFromAddress(address)
  const show = showOf(address)
  const rows = useQuery(rowsQuery(id, { ...show.query, page }))
  const acts = useRowActs(id)
  const statement = rows.data?.statement
  const shown = rows.data?.data ?? []
  const skipped = acts.done?.skipped ?? []
  const selection = useSelection<StatementRow>()
  const shownChosen = shown.filter((row) => isToDo(row) && selection.chosen.has(row.id))
  const confirmChosen = async () => {
    const likely = shownChosen.filter(isLikely)
    if (await acts.confirm({ allLikely: likely.map(({ id: rowId }) => rowId) })) selection.clear()
  }
  const ignoreChosen = async () => {
    if (await acts.ignoreMany(shownChosen.map((row) => row.id))) selection.clear()
  }
  return (
    <div className="flex flex-col gap-4">
      <Button variant="ghost" size="sm" icon="chevron-left" className="self-start" onClick={onBack}>
        All statements
      </Button>
      {children}
      <Card>
        <CardBody className="flex flex-col gap-4">
          {statement ? (
            <>
              <Head statement={statement} />
              <div className="flex flex-wrap items-center justify-between gap-3">
                <RowFilter
                  counts={statement.counts}
                  current={show.key}
                  onShow={(key) => setAddress(addressWith(address, { show: key || null }))}
                />
                <ConfirmAllExact
                  count={statement.counts.exact}
                  busy={acts.busy}
                  onConfirm={() => acts.confirm({ allExact: true })}
                />
              </div>
            </>
          ) : null}
          <SkippedNotice
            title={`${counted(skipped.length, 'row')} left as it was`}
            skipped={skipped.map(({ rowId, message }) => ({
              id: rowId,
              words: `${wordsOf(shown, rowId)}: ${message}`,
            }))}
          />
          <PagedList
            query={rows}
            list={{ page, onPage: (wanted) => setAddress(addressWithPage(address, wanted)) }}
            pages={({ metadata }) => metadata}
            failure="Failed to fetch the statement"
            empty={<NoRows all={show.key === ''} />}
          >
            {({ data, alike }) => (
              <>
                <IgnoreAlike
                  alike={alike}
                  busy={acts.busy}
                  onIgnore={(rowIds) => void acts.ignoreMany(rowIds)}
                />
                <RowList rows={data} acts={acts} selection={selection} />
              </>
            )}
          </PagedList>
          <LeftOutList id={id} />
          <RowBar
            chosen={shownChosen}
            done={acts.done}
            busy={acts.busy}
            onConfirm={() => void confirmChosen()}
            onIgnore={() => void ignoreChosen()}
          />
        </CardBody>
      </Card>
    </div>
  )
}

const wordsOf = (rows: readonly StatementRow[], id: string): string => {
  const row = rows.find((one) => one.id === id)
  return row ? rowText(row) : 'A row on another page'
}

const Head = ({ statement }: { statement: Statement }) => (
  <div>
    <h2 className="font-display text-xl font-semibold wrap-anywhere">
      {`${sourceLabel(statement.source)} · ${statement.fileName}`}
    </h2>
    <p className="text-sm text-muted">
      {`Uploaded ${dateAndTime(statement.uploadedAt)} by ${statement.uploadedBy}`}
    </p>
  </div>
)

const NoRows = ({ all }: { all: boolean }) => (
  <EmptyState title={all ? 'Nothing new in this file' : 'No rows to show'} icon="table">
    {all
      ? 'All its payments are in a statement uploaded before.'
      : 'There is nothing of this kind in the statement, or it is done.'}
  </EmptyState>
)

type ConfirmAllExactProps = { count: number; busy: boolean; onConfirm: () => Promise<unknown> }

/** Rows whose reference and amount match. */
const ConfirmAllExact = ({ count, busy, onConfirm }: ConfirmAllExactProps) => {
  const [asking, setAsking] = useState(false)
  if (count === 0) return null
  return (
    <>
      <Button icon="check" busy={busy} onClick={() => setAsking(true)}>
        {`Confirm all exact (${count})`}
      </Button>
      <ConfirmDialog
        open={asking}
        title={`Confirm ${counted(count, 'exact row')}?`}
        confirm="Yes, Confirm"
        busy={busy}
        onConfirm={() => void onConfirm().then(() => setAsking(false))}
        onClose={() => setAsking(false)}
      >
        Reference and amount fit. Their meals are marked paid; each row can be undone.
      </ConfirmDialog>
    </>
  )
}

type IgnoreAlikeProps = {
  alike: readonly AlikeRows[]
  busy: boolean
  onIgnore: (rowIds: readonly string[]) => void
}

/** Rows such as rent, those of other pages too. */
const IgnoreAlike = ({ alike, busy, onIgnore }: IgnoreAlikeProps) => (
  <div className="flex flex-wrap gap-2 empty:hidden">
    {alike.map(({ text, rowIds, amount }) => (
      <Button
        key={text}
        variant="secondary"
        size="sm"
        disabled={busy}
        className="wrap-anywhere"
        onClick={() => onIgnore(rowIds)}
      >
        {`Ignore all ${wholeNumber(rowIds.length)} open ones of “${text}”, ${kwacha(amount)}`}
      </Button>
    ))}
  </div>
)

type RowBarProps = {
  /** Chosen rows on this page. */
  chosen: readonly StatementRow[]
  done: Done | null
  busy: boolean
  onConfirm: () => void
  onIgnore: () => void
}

/** Last act with undo, and the selection; always visible. */
const RowBar = ({ chosen, done, busy, onConfirm, onIgnore }: RowBarProps) => (
  <div aria-live="polite" className="sticky bottom-safe z-20 flex flex-col gap-2 empty:hidden">
    {done ? (
      <div className={bar}>
        <p className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">{done.words}</p>
        {done.undo ? (
          <Button variant="secondary" size="sm" icon="undo" busy={busy} onClick={() => void done.undo?.()}>
            Undo
          </Button>
        ) : null}
      </div>
    ) : null}
    {chosen.length > 0 ? (
      <div className={bar}>
        <strong className="money flex-1 text-sm">
          {`${counted(chosen.length, 'row')}, ${kwacha(total(chosen))}`}
        </strong>
        <Button variant="secondary" busy={busy} onClick={onIgnore}>
          Ignore Chosen
        </Button>
        {chosen.every(isLikely) ? (
          <Button icon="check" busy={busy} onClick={onConfirm}>
            Confirm Chosen
          </Button>
        ) : null}
      </div>
    ) : null}
  </div>
)

const bar =
  'flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-3 py-3 shadow-raised'

type Counts = Statement['counts']

const shows = [
  {
    key: '',
    label: 'All',
    query: {},
    of: ({ open, suggested, confirmed, ignored }: Counts) => open + suggested + confirmed + ignored,
  },
  {
    key: 'exact',
    label: 'Exact',
    query: { state: 'suggested', certainty: 'exact' },
    of: ({ exact }: Counts) => exact,
  },
  {
    key: 'likely',
    label: 'Likely',
    query: { state: 'suggested', certainty: 'likely' },
    of: ({ likely }: Counts) => likely,
  },
  { key: 'open', label: 'Open', query: { state: 'open' }, of: ({ open }: Counts) => open },
  {
    key: 'confirmed',
    label: 'Confirmed',
    query: { state: 'confirmed' },
    of: ({ confirmed }: Counts) => confirmed,
  },
  { key: 'ignored', label: 'Ignored', query: { state: 'ignored' }, of: ({ ignored }: Counts) => ignored },
] as const satisfies readonly {
  key: string
  label: string
  query: QueryOf<typeof statementRows>
  of: (counts: Counts) => number
}[]

/** All for an invalid value. */
const showOf = (address: URLSearchParams) => shows.find(({ key }) => key === address.get('show')) ?? shows[0]

type RowFilterProps = { counts: Counts; current: string; onShow: (key: string) => void }

/** With counts. */
const RowFilter = ({ counts, current, onShow }: RowFilterProps) => (
  <fieldset className="flex flex-wrap gap-2">
    <legend className="sr-only">Show</legend>
    {shows.map(({ key, label, of }) => (
      <Button
        key={key}
        size="sm"
        variant={key === current ? 'primary' : 'secondary'}
        aria-pressed={key === current}
        onClick={() => onShow(key)}
      >
        {`${label} ${wholeNumber(of(counts))}`}
      </Button>
    ))}
  </fieldset>
)
